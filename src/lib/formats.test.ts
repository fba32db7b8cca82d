import { expect, test } from 'vitest'

import { GERMAN, KILOMETERS, US } from './fake-formats.ts'
import {
  formatClock,
  formatCount,
  formatDuration,
  formatRiding,
  type Formats,
  formatsFor,
  periodName,
  quote,
} from './formats.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

const inSettings = (settings: Partial<Settings>) => formatsFor({ ...DEFAULT_SETTINGS, ...settings })

test.each([
  [0, '00:00:00'],
  [3909, '01:05:09'],
  [86_399, '23:59:59'],
  [360_000, '100:00:00'],
  [59.5, '00:01:00'],
])('%d s is %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  [0, '0:00'],
  [2_991_533, '830:58'],
  [36_000_000, '10,000:00'],
])('%d s of riding are %s', (seconds, text) => {
  expect(formatRiding(seconds)).toBe(`${text}\u00a0h`)
})

test('counts are whole and grouped', () => {
  expect([151.5, 0, 1234].map(formatCount)).toEqual(['152', '0', '1,234'])
})

test('quotes a name and cuts a long one between characters', () => {
  expect(quote('Chain')).toBe('“Chain”')
  expect(quote('🚲'.repeat(80))).toBe(`“${'🚲'.repeat(80)}”`)
  expect(quote('🚲'.repeat(1000))).toBe(`“${'🚲'.repeat(80)}…”`)
})

test.each([
  ['USD', '$45.00', '$458', '-$1,234.50'],
  ['EUR', '€45.00', '€458', '-€1,234.50'],
  ['JPY', '¥45', '¥458', '-¥1,235'],
  ['CHF', 'CHF 45.00', 'CHF 458', '-CHF 1,234.50'],
  ['KWD', 'KWD 45.000', 'KWD 458', '-KWD 1,234.500'],
])('writes amounts in %s', (currency, ...expected) => {
  const { money, wholeMoney } = inSettings({ currency })
  const written = [money(45), wholeMoney(457.5), money(-1234.5)]
  expect(written.map((text) => text.replace('\u00A0', ' '))).toEqual(expected)
})

test.each([
  ['USD', 0.3597, '36¢'],
  ['USD', 0.0994, '9.9¢'],
  ['USD', 0.0996, '10¢'],
  ['USD', 0.994, '99¢'],
  ['USD', 0.995, '$1.00'],
  ['EUR', 0.3597, '€0.36'],
  ['EUR', 0.0994, '€0.099'],
  ['EUR', 0.0996, '€0.10'],
  ['JPY', 54.3, '¥54'],
  ['JPY', 4.25, '¥4.3'],
])('in %s, formats a rate of %d as %s', (currency, amount, text) => {
  expect(inSettings({ currency }).rate(amount)).toBe(text)
})

test('labels an axis without needless decimals', () => {
  expect([1000, 0.5].map(US.axisMoney)).toEqual(['$1,000', '$0.5'])
})

const READABLE: Record<string, [number, ...string[]][]> = {
  USD: [
    [45, '45', ' 45 ', '$45', '$ 45', '045', '45.', '45.0', '45 USD'],
    [45.5, '45.5', '45.50'],
    [0.9, '.9'],
    [-5, '-5', '-$5', '$-5'],
    [7, '+7'],
    [0, '0', '-0'],
    [1234567.89, '1,234,567.89', '$1,234,567.89'],
    [1_234_567, '1 234 567', '1\u00A0234\u00A0567'],
    [12.5, '12,50', '12,5', '$12,50'],
    [0.5, '0,5', ',5'],
    [-1234.56, '-1.234,56', '-1 234,56', '-1\u00A0234,56', '-1234,56'],
    [1_234_567.8, '1.234.567,8'],
  ],
  EUR: [
    [45, '€45', '45 €', 'eur 45', '45,00 €'],
    [-1234.5, '-€1,234.50', '-1,234.50 EUR'],
  ],
  CHF: [[1234.5, 'CHF 1,234.50', 'CHF\u00A01,234.50']],
  JPY: [[4500, '¥4,500']],
  CAD: [[45, 'CA$45', '$45']],
  SEK: [[45, '45 kr']],
}

test.each(Object.entries(READABLE))('reads amounts in %s', (currency, amounts) => {
  const { parseAmount } = inSettings({ currency })
  for (const [amount, ...texts] of amounts)
    expect(Object.fromEntries(texts.map((text) => [text, parseAmount(text)]))).toEqual(
      Object.fromEntries(texts.map((text) => [text, amount])),
    )
})

test.each<[string, Formats, string[]]>([
  ['nothing', US, ['', '$', '-', '.', 'abc']],
  ['decimal commas that may separate groups', US, ['0,500', ',500', '1.234,500']],
  [
    'misplaced separators',
    US,
    [
      '1,2345',
      '1.23,45',
      '1,2,3',
      '1,234,5',
      '12.34.567,8',
      '1234.567,8',
      '1234,567',
      '1,234 567',
      '1 2 3',
      '1.2.3',
    ],
  ],
  ['points as thousands separators, and more than two decimals', US, ['1.200', '45.999', '45.5000']],
  ['other notations', US, ['1e9', '0x10', '(5.00)', '−5', '٤٥', 'Infinity', '12abc', '05. Okt']],
  ['another currency', US, ['€45']],
  ['another currency or a second sign', GERMAN, ['$45', '€', '€€45']],
])('does not read %s', (_, { parseAmount }, texts) => {
  expect(texts.filter((text) => parseAmount(text) !== null)).toEqual([])
})

test.each(['USD', 'EUR', 'JPY', 'CHF', 'CAD', 'KWD', 'XAF', 'ZZZ'])(
  'reads what it shows in %s',
  (currency) => {
    const { money, wholeMoney, parseAmount } = inSettings({ currency })
    for (const amount of [0, 45, -5, 1234, -1_234_567]) {
      // Amounts have at most two decimals.
      expect(parseAmount(money(amount).replace(/(\.\d\d)0$/, '$1'))).toBe(amount)
      expect(parseAmount(wholeMoney(amount))).toBe(amount)
    }
  },
)

test.each([
  ['2026-03-01', 'today'],
  ['2026-02-28', 'yesterday'],
  ['2026-02-27', 'Feb 27'],
  ['2026-03-02', 'Mar 2'],
  ['2025-12-31', 'Dec 31, 2025'],
] as const)('shows %s on 03/01/2026 as %s', (day, text) => {
  expect(US.recentDay(day, '2026-03-01')).toBe(text)
})

test.each([
  ['MM/DD/YYYY', '03/01/2026', 'Mar 1', 'Sep 28, 2025', 'Mar 1, 2026'],
  ['DD/MM/YYYY', '01/03/2026', '1 Mar', '28 Sep 2025', '1 Mar 2026'],
  ['DD.MM.YYYY', '01.03.2026', '1 Mar', '28 Sep 2025', '1 Mar 2026'],
  ['YYYY-MM-DD', '2026-03-01', 'Mar 1', 'Sep 28, 2025', 'Mar 1, 2026'],
] as const)('writes days as %s', (dates, ...expected) => {
  const { day, shortDay, longDay } = inSettings({ dates })
  const shown = [shortDay('2026-03-01', '2026-11-22'), shortDay('2025-09-28', '2026-11-22')]
  expect([day('2026-03-01'), ...shown, longDay('2026-03-01')]).toEqual(expected)
})

test('writes the local time of an instant after its day', () => {
  const instant = new Date(2026, 10, 22, 15, 4)
  expect(US.dateTime(instant)).toMatch(/^Nov 22, 2026, 3:04\sPM$/)
  expect(GERMAN.dateTime(instant)).toMatch(/^22 Nov 2026, 3:04\sPM$/)
  expect(formatClock('2026-11-22T15:04:00')).toMatch(/^3:04\sPM$/)
})

// 1609 m per mile and 3.28084 ft per meter, rounded half up.
test.each([
  [US, 'distance', 80.44, '0.0 mi'],
  [US, 'distance', 80.45, '0.1 mi'],
  [US, 'distance', 1_986_310.5, '1,234.5 mi'],
  [KILOMETERS, 'distance', 49.99, '0.0 km'],
  [KILOMETERS, 'distance', 50, '0.1 km'],
  [KILOMETERS, 'distance', 1_234_449.9, '1,234.4 km'],
  [US, 'speed', 0.08045, '0.1 mph'],
  [US, 'speed', 19.79, '12.3 mph'],
  [US, 'speed', 1609, '1,000.0 mph'],
  [KILOMETERS, 'speed', 19.749, '19.7 km/h'],
  [KILOMETERS, 'speed', 19.75, '19.8 km/h'],
  [US, 'elevation', 0.15, '0 ft'],
  [US, 'elevation', 0.1524, '1 ft'],
  [US, 'elevation', 8848, '29,029 ft'],
  [KILOMETERS, 'elevation', 544.49, '544 m'],
  [KILOMETERS, 'elevation', 544.5, '545 m'],
] as const)('in $name, a %s of %d is %s', (formats, measure, stored, shown) => {
  expect(formats[measure].format(stored)).toBe(shown.replace(' ', '\u00A0'))
})

test.each([US, KILOMETERS])('a missing value in $name is a dash, not 0', (formats) => {
  const measures = [formats.distance, formats.speed, formats.elevation].map(({ format }) => format)
  for (const format of [...measures, formats.money, formats.wholeMoney, formatDuration, formatCount])
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
  expect(formats.rate(null)).toBe('–')
})

test.each([
  [US, 50, 80_450],
  [US, 0.1, 161],
  [KILOMETERS, 50.5, 50_500],
])('in $name: %d as shown is %d m as stored', ({ distance }, shown, stored) => {
  expect(distance.toStored(shown)).toBe(stored)
  expect(distance.of(stored)).toBe(shown)
})

test('distances without decimals are rounded once, from what is stored', () => {
  const shown = [4311.49, 4311.5, 0.2].map((miles) => US.distance.formatWhole(miles * 1609))
  expect(shown).toEqual(['4,311\u00A0mi', '4,312\u00A0mi', '0\u00A0mi'])
})

test.each([
  ['2026-11', 'Nov 2026'],
  ['2026', '2026'],
])('names the period %s %s', (period, name) => {
  expect(periodName(period)).toBe(name)
})
