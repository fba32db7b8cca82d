import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addDays, type Day, isFinal, parseDay } from './days.ts'
import { formatsFor } from './formats.ts'
import { DATES, DEFAULT_SETTINGS, type Settings } from './settings.ts'

const NOW: Day = '2026-11-23'
const ORDERS = DATES

const anyDay = fc.integer({ min: 0, max: 73_413 }).map((count) => addDays('1900-01-01', count))
const anyOrder = fc.constantFrom(...ORDERS)
const anySeparator = fc.constantFrom('/', '.', '-', ' ', '. ', ' / ', '  ')

function inOrder(order: Settings['dates'], year: string, month: string, day: string): string[] {
  if (order === 'YYYY-MM-DD') return [year, month, day]
  return order === 'MM/DD/YYYY' ? [month, day, year] : [day, month, year]
}

const partsOf = (day: Day) => day.split('-') as [string, string, string]
const short = (part: string) => String(Number(part))

Deno.test('reads every day back in every order, with every separator', () => {
  fc.assert(
    fc.property(anyDay, anyOrder, anySeparator, fc.boolean(), (day, order, separator, isShort) => {
      const [year, month, date] = partsOf(day)
      const parts = inOrder(order, year, isShort ? short(month) : month, isShort ? short(date) : date)
      assert.equal(parseDay(parts.join(separator), order, NOW), day)
    }),
    { numRuns: 5000 },
  )
})

Deno.test('reads every day back as every format shows it', () => {
  fc.assert(
    fc.property(anyDay, anyOrder, (day, dates) => {
      const formats = formatsFor({ ...DEFAULT_SETTINGS, dates })
      assert.equal(parseDay(formats.day(day), dates, NOW), day)
      assert.equal(parseDay(formats.longDay(day), dates, NOW), day)
      // A later day of this year is shown without its year, too.
      if (day <= NOW || day > '2026-12-31') {
        assert.equal(parseDay(formats.shortDay(day, NOW), dates, NOW), day)
        assert.equal(parseDay(formats.recentDay(day, NOW), dates, NOW), day)
      }
    }),
    { numRuns: 5000 },
  )
})

Deno.test('reads every ISO day and every day without separators in every order', () => {
  fc.assert(
    fc.property(anyDay, anyOrder, (day, order) => {
      assert.equal(parseDay(day, order, NOW), day)
      assert.equal(parseDay(inOrder(order, ...partsOf(day)).join(''), order, NOW), day)
    }),
  )
})

Deno.test('reads a day with two digits of its year, from 79 years ago to 20 years from now', () => {
  const days = fc.integer({ min: 0, max: 36_523 }).map((count) => addDays('1947-01-01', count))
  fc.assert(
    fc.property(days, anyOrder, anySeparator, (day, order, separator) => {
      const [year, month, date] = partsOf(day)
      assert.equal(parseDay(inOrder(order, year.slice(2), month, date).join(separator), order, NOW), day)
    }),
  )
  assert.equal(parseDay('12/31/46', 'MM/DD/YYYY', NOW), '2046-12-31')
  assert.equal(parseDay('1/1/47', 'MM/DD/YYYY', NOW), '1947-01-01')
})

Deno.test('reads a day without a year as the latest one up to today', () => {
  const days = fc.integer({ min: 0, max: 364 }).map((count) => addDays(NOW, -count))
  fc.assert(
    fc.property(days, anyOrder, anySeparator, (day, order, separator) => {
      const parts = inOrder(order, '', ...(partsOf(day).slice(1) as [string, string])).filter(Boolean)
      assert.equal(parseDay(parts.join(separator), order, NOW), day)
    }),
  )
})

const READ: [string, Settings['dates'], Day][] = [
  ['22.11.26', 'DD.MM.YYYY', '2026-11-22'],
  ['22/11', 'DD.MM.YYYY', '2026-11-22'],
  ['22 11 2026', 'DD.MM.YYYY', '2026-11-22'],
  ['22-11-2026', 'DD/MM/YYYY', '2026-11-22'],
  ['22.11.', 'DD.MM.YYYY', '2026-11-22'],
  ['24.11.', 'DD.MM.YYYY', '2025-11-24'],
  ['22. 11. 2026', 'DD.MM.YYYY', '2026-11-22'],
  ['22112026', 'DD.MM.YYYY', '2026-11-22'],
  ['11/22', 'MM/DD/YYYY', '2026-11-22'],
  ['11/24', 'MM/DD/YYYY', '2025-11-24'],
  ['11.22.98', 'MM/DD/YYYY', '1998-11-22'],
  ['11182026', 'MM/DD/YYYY', '2026-11-18'],
  [' 1/2/2024 ', 'MM/DD/YYYY', '2024-01-02'],
  ['1/1/0001', 'MM/DD/YYYY', '0001-01-01'],
  ['26-11-22', 'YYYY-MM-DD', '2026-11-22'],
  ['11-22', 'YYYY-MM-DD', '2026-11-22'],
  ['20261122', 'YYYY-MM-DD', '2026-11-22'],
  ['2026/11/2', 'DD/MM/YYYY', '2026-11-02'],
  // The latest February 29, also where a century has no leap day.
  ['29.2.', 'DD.MM.YYYY', '2024-02-29'],
  ['today', 'MM/DD/YYYY', '2026-11-23'],
  ['Yesterday', 'DD.MM.YYYY', '2026-11-22'],
  ['tomorrow', 'DD.MM.YYYY', '2026-11-24'],
  ['Nov 18', 'MM/DD/YYYY', '2026-11-18'],
  ['18 Nov', 'DD.MM.YYYY', '2026-11-18'],
  ['Sep 28, 2025', 'MM/DD/YYYY', '2025-09-28'],
  ['28 September 2025', 'DD.MM.YYYY', '2025-09-28'],
]
for (const [text, order, day] of READ)
  Deno.test(`reads ${JSON.stringify(text)} as ${day} in ${order}`, () => {
    assert.equal(parseDay(text, order, NOW), day)
  })

const REFUSED: [Settings['dates'], string[]][] = [
  [
    'DD.MM.YYYY',
    ['31.02.', '31.02.2026', '29.02.2026', '11/22/2026', '2026.22.11', '22.11.026', '1.2.3', '22.11.2026.'],
  ],
  [
    'MM/DD/YYYY',
    [
      '',
      'x',
      '11',
      '13/01/2024',
      '00/10/2024',
      '02/30/2024',
      '02/29/1900',
      '04/31/2024',
      '1/1/2024x',
      '22.11.2026',
    ],
  ],
  [
    'MM/DD/YYYY',
    ['111826', '1182026', '20261118', '02302024', '00102024', '11/182026', '111820261', '11/18-2026'],
  ],
  ['YYYY-MM-DD', ['22.11.2026', '11/22/2026', '11222026', '2026-13-01', '2026-02-30', '2026-11']],
  [
    'DD/MM/YYYY',
    ['Foo 18', 'Marble 18', 'No 18', '18 Foo 2025', 'Feb 30', 'Nov', '18 Nov 25', 'now', 'constructor'],
  ],
]
for (const [order, texts] of REFUSED)
  for (const text of texts)
    Deno.test(`refuses ${JSON.stringify(text)} in ${order}`, () => {
      assert.equal(parseDay(text, order, NOW), null)
    })

Deno.test('a day that is typed digit by digit is only final at its end', () => {
  for (const text of ['11/22/2026', '22.11.2026', '2026-11-22', '11222026']) {
    const typed = Array.from(text, (_, index) => text.slice(0, index + 1))
    // Without separators, the first four digits are no day, so it doesn't matter that they look final.
    const days = typed.filter((each) => isFinal(each) && ORDERS.some((order) => parseDay(each, order, NOW)))
    assert.deepEqual(days, [text])
  }
})
