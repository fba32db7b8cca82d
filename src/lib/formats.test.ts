import { describe, expect, test } from 'vitest'

import { GERMAN, KILOMETERS, US } from './fake-formats.ts'
import { formatClock, formatCount, formatDuration, formatsFor, quote } from './formats.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

const SPACE = '\u00A0'

describe('duration', () => {
  test.each([
    [0, '00:00:00'],
    [59, '00:00:59'],
    [3909, '01:05:09'],
    [86_399, '23:59:59'],
    [360_000, '100:00:00'],
    [59.5, '00:01:00'],
  ])('%d s is %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})

test.each([
  [45, '$45.00'],
  [0, '$0.00'],
  [-5, '-$5.00'],
  [12.5, '$12.50'],
  [1_234_567, '$1,234,567.00'],
])('%d dollars is %s', (dollars, text) => {
  expect(US.money(dollars)).toBe(text)
})

test.each([
  [151.5, '152'],
  [0, '0'],
  [1234, '1,234'],
])('%d is %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([formatDuration, US.money, formatCount])('a missing value is a dash, not 0 (%o)', (format) => {
  expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
})

test('quotes a name and cuts a long one between characters', () => {
  expect(quote('Chain')).toBe('“Chain”')
  expect(quote('🚲'.repeat(80))).toBe(`“${'🚲'.repeat(80)}”`)
  expect(quote('🚲'.repeat(1000))).toBe(`“${'🚲'.repeat(80)}…”`)
})

test.each([
  [0.3597, '36¢'],
  [0.0994, '9.9¢'],
  [0.0996, '10¢'],
  [0.006, '0.6¢'],
  [0.994, '99¢'],
  [0.995, '$1.00'],
  [1.2, '$1.20'],
  [null, '–'],
])('formats a rate of %d dollars as %s', (dollars, text) => {
  expect(US.rate(dollars)).toBe(text)
})

test('formats sums of dollars without cents', () => {
  expect([8323.4, 457.5, 0, null].map(US.wholeMoney)).toEqual(['$8,323', '$458', '$0', '–'])
})

test.each([
  ['45', 45],
  [' 45 ', 45],
  ['007', 7],
  ['45.5', 45.5],
  ['45.50', 45.5],
  ['.9', 0.9],
  ['12.', 12],
  ['-5', -5],
  ['+7', 7],
  ['-0', 0],
  ['$45', 45],
  ['-$5', -5],
  ['$-5', -5],
  ['$ 45', 45],
  ['1,234', 1234],
  ['$1,234.56', 1234.56],
  ['-1,234,567.89', -1234567.89],
  ['1 000', 1000],
  ['1\u00A0234\u00A0567', 1234567],
])('parses %j as %d', (text, amount) => {
  expect(Object.is(US.parseAmount(text), amount)).toBe(true)
})

test.each([
  '',
  '$',
  '-',
  '.',
  'abc',
  // Decimal commas and misplaced commas.
  '45,50',
  '1.234,50',
  '1,23',
  '1,2345',
  '1234,567',
  '0,500',
  ',500',
  '1,234 567',
  // Points as thousands separators, and more than two decimals.
  '1.200',
  '45.999',
  '1.2.3',
  '45.5000',
  '1 2 3',
  '12abc',
  '05. Okt',
  '1e9',
  '0x10',
  '(5.00)',
  '−5',
  '٤٥',
  'Infinity',
])('does not parse %j', (text) => {
  expect(US.parseAmount(text)).toBeNull()
})

test.each([
  ['2026-03-01', 'today'],
  ['2026-02-28', 'yesterday'],
  ['2026-02-27', 'Feb 27'],
  ['2026-03-02', 'Mar 2'],
  ['2025-12-31', 'Dec 31, 2025'],
] as const)('shows %s on 03/01/2026 as %s', (day, text) => {
  expect(US.recentDay(day, '2026-03-01')).toBe(text)
})

const inSettings = (settings: Partial<Settings>) => formatsFor({ ...DEFAULT_SETTINGS, ...settings })

test.each([
  ['EUR', '€45.00', '€458', '€1,234.50'],
  ['JPY', '¥45', '¥458', '¥1,235'],
  ['CHF', 'CHF\u00A045.00', 'CHF\u00A0458', 'CHF\u00A01,234.50'],
  ['GBP', '£45.00', '£458', '£1,234.50'],
  ['KWD', 'KWD\u00A045.000', 'KWD\u00A0458', 'KWD\u00A01,234.500'],
])('writes amounts in %s', (currency, money, whole, long) => {
  const formats = inSettings({ currency })
  expect([formats.money(45), formats.wholeMoney(457.5), formats.money(1234.5)]).toEqual([money, whole, long])
})

test.each([
  ['EUR', 0.3597, '€0.36'],
  ['EUR', 0.0994, '€0.099'],
  ['EUR', 0.0996, '€0.10'],
  ['EUR', 1.2, '€1.20'],
  ['JPY', 54.3, '¥54'],
  ['JPY', 4.25, '¥4.3'],
  ['CHF', 0.36, 'CHF\u00A00.36'],
])('in %s, formats a rate of %d as %s', (currency, amount, text) => {
  expect(inSettings({ currency }).rate(amount)).toBe(text)
})

test.each([
  ['USD', '$1,000', '$0.5'],
  ['EUR', '€1,000', '€0.5'],
])('labels an axis in %s without needless decimals', (currency, ...labels) => {
  expect([1000, 0.5].map(inSettings({ currency }).axisMoney)).toEqual(labels)
})

test.each([
  ['EUR', '€45', 45],
  ['EUR', '-€5', -5],
  ['EUR', '45 €', 45],
  ['EUR', '-1,234.50 EUR', -1234.5],
  ['EUR', 'eur 45', 45],
  ['CHF', 'CHF 45.00', 45],
  ['CHF', 'CHF\u00A01,234.50', 1234.5],
  ['JPY', '¥4,500', 4500],
  ['CAD', 'CA$45', 45],
  ['CAD', '$45', 45],
  ['USD', '45 USD', 45],
  ['SEK', '45 kr', 45],
  ['EUR', '$45', null],
  ['USD', '€45', null],
  ['EUR', '€', null],
  ['EUR', '€€45', null],
  ['EUR', '45,50 €', null],
])('in %s, reads %j as %j', (currency, text, amount) => {
  expect(inSettings({ currency }).parseAmount(text)).toBe(amount)
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
  ['MM/DD/YYYY', '03/01/2026', 'Mar 1', 'Sep 28, 2025', 'Mar 1, 2026'],
  ['DD/MM/YYYY', '01/03/2026', '1 Mar', '28 Sep 2025', '1 Mar 2026'],
  ['DD.MM.YYYY', '01.03.2026', '1 Mar', '28 Sep 2025', '1 Mar 2026'],
  ['YYYY-MM-DD', '2026-03-01', 'Mar 1', 'Sep 28, 2025', 'Mar 1, 2026'],
] as const)('writes days as %s', (dates, day, short, past, long) => {
  const formats = inSettings({ dates })
  expect(formats.day('2026-03-01')).toBe(day)
  expect(formats.shortDay('2026-03-01', '2026-11-22')).toBe(short)
  expect(formats.shortDay('2025-09-28', '2026-11-22')).toBe(past)
  expect(formats.longDay('2026-03-01')).toBe(long)
  expect(formats.recentDay('2026-02-28', '2026-03-01')).toBe('yesterday')
})

test('writes the local time of an instant after its day', () => {
  const instant = new Date(2026, 10, 22, 15, 4)
  expect(US.dateTime(instant)).toMatch(/^Nov 22, 2026, 3:04\sPM$/)
  expect(GERMAN.dateTime(instant)).toMatch(/^22 Nov 2026, 3:04\sPM$/)
  expect(US.dateTime(instant)).toBe(
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(instant),
  )
  expect(formatClock('2026-11-22T15:04:00')).toMatch(/^3:04\sPM$/)
})

describe('distance', () => {
  test.each([
    [0, '0.0'],
    [1609, '1.0'],
    [80.44, '0.0'],
    [80.45, '0.1'],
    [241.35, '0.2'],
    [1_986_310.5, '1,234.5'],
    [160_900_000, '100,000.0'],
  ])('%d m is %s mi, at 1609 m per mile, rounded half up', (meters, shown) => {
    expect(US.distance.format(meters)).toBe(`${shown}${SPACE}mi`)
  })

  test.each([
    [0, '0.0'],
    [49.99, '0.0'],
    [50, '0.1'],
    [1000, '1.0'],
    [1050, '1.1'],
    [1_234_449.9, '1,234.4'],
    [1_234_450, '1,234.5'],
    [100_000_000, '100,000.0'],
  ])('%d m is %s km, rounded half up', (meters, shown) => {
    expect(KILOMETERS.distance.format(meters)).toBe(`${shown}${SPACE}km`)
  })
})

describe('speed', () => {
  test.each([
    [0, '0.0'],
    [1.609, '1.0'],
    [19.79, '12.3'],
    [0.08045, '0.1'],
    [1_609, '1,000.0'],
  ])('%d km/h is %s mph, at 1.609 km per mile', (speed, shown) => {
    expect(US.speed.format(speed)).toBe(`${shown}${SPACE}mph`)
  })

  test.each([
    [0, '0.0'],
    [0.05, '0.1'],
    [19.75, '19.8'],
    [19.749, '19.7'],
    [1.005, '1.0'],
    [1_000, '1,000.0'],
  ])('%d km/h is %s km/h, rounded half up', (speed, shown) => {
    expect(KILOMETERS.speed.format(speed)).toBe(`${shown}${SPACE}km/h`)
  })
})

describe('elevation', () => {
  test.each([
    [0, '0'],
    [0.15, '0'],
    [0.1524, '1'],
    [545, '1,788'],
    [8848, '29,029'],
  ])('%d m is %s ft, at 3.28084 ft per meter, rounded half up', (meters, shown) => {
    expect(US.elevation.format(meters)).toBe(`${shown}${SPACE}ft`)
  })

  test.each([
    [0, '0'],
    [0.49, '0'],
    [0.5, '1'],
    [544.5, '545'],
    [8848, '8,848'],
  ])('%d m is %s m, rounded half up', (meters, shown) => {
    expect(KILOMETERS.elevation.format(meters)).toBe(`${shown}${SPACE}m`)
  })
})

test.each([US, KILOMETERS])('a missing value in $name is a dash, not 0', (formats) => {
  for (const { format } of [formats.distance, formats.speed, formats.elevation]) {
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
  }
})

test.each([
  ['mi', 50, 80_450],
  ['mi', 0.1, 161],
  ['km', 50.5, 50_500],
] as const)('in %s: %d as shown is %d m as stored', (distance, shown, stored) => {
  const formats = formatsFor({ ...DEFAULT_SETTINGS, distance })
  expect(formats.distance.toStored(shown)).toBe(stored)
  expect(formats.distance.of(stored)).toBe(shown)
})

test('distances without decimals are rounded once, from what is stored', () => {
  expect([4311.49, 4311.5, 0.2].map((value) => US.distance.formatWhole(value * 1609))).toEqual([
    '4,311\u00A0mi',
    '4,312\u00A0mi',
    '0\u00A0mi',
  ])
})
