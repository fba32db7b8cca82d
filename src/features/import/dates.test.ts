import fc from 'fast-check'
import { expect, test } from 'vitest'

import { addDays } from '../../lib/days.ts'
import { formatsFor } from '../../lib/formats.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../lib/settings.ts'
import { datesOf } from './dates.ts'

const read = (cells: readonly string[], own: Settings['dates'], answer: Settings['dates'] | null = null) =>
  datesOf(
    cells.map((dateStarted, index) => ({ line: index + 2, cells: { dateStarted } })),
    own,
    answer,
  )
const US = 'MM/DD/YYYY'
const UK = 'DD/MM/YYYY'
const GERMAN = 'DD.MM.YYYY'

test.each([
  [[], US],
  [['2026-03-04', '2026-11-22 01:00:00'], US],
  [['2026-03-04', '', 'soon', '5/5/2026'], GERMAN],
  // One date proves that the others are in the owner's order.
  [['3/4/2026', '11/22/2026'], US],
  [['3.4.2026', '22.11.2026'], GERMAN],
  // These fit no order.
  [['22/11/2026', '11/22/2026'], US],
] as const)('reads %j in %s without a question', (cells, own) => {
  expect(read(cells, own)).toEqual({ order: own, question: null, isOpen: false })
})

test.each([US, UK, GERMAN, 'YYYY-MM-DD'] as const)('asks about dates that fit two orders, with %s', (own) => {
  const { order, question, isOpen } = read(['2026-01-31', '03/04/2026 01:00', '5/6/26'], own)
  expect([order, isOpen]).toEqual([own, true])
  expect(question).toEqual({
    text: '03/04/2026',
    options: [
      { order: US, day: '2026-03-04' },
      { order: own === GERMAN ? GERMAN : UK, day: '2026-04-03' },
    ],
  })
  const answered = read(['03/04/2026'], own, UK)
  expect(answered).toMatchObject({ order: UK, question: { text: '03/04/2026' }, isOpen: false })
})

test('reads dates in the only order that fits all of them', () => {
  const expected = { order: UK, question: null, isOpen: false }
  expect(read(['3/4/2026', '22/11/2026'], US)).toEqual(expected)
  expect(read(['22/11/2026'], US)).toEqual(expected)
  expect(read(['11/22/2026'], UK)).toEqual({ ...expected, order: US })
})

test('an answer reads every day of a file as it was written', () => {
  const days = fc.array(fc.integer({ min: 0, max: 50_000 }).map((count) => addDays('1950-01-01', count)))
  const order = fc.constantFrom(US, UK, GERMAN)
  fc.assert(
    fc.property(days, order, order, (days, written, own) => {
      const { day } = formatsFor({ ...DEFAULT_SETTINGS, dates: written })
      const { order, question } = read(days.map(day), own)
      const isWrittenFirst = (each: Settings['dates']) => each.startsWith('DD') === written.startsWith('DD')
      // The order of the file is found, or offered.
      const offered = question?.options.some((option) => isWrittenFirst(option.order))
      const isSame = days.every((each) => each.slice(5, 7) === each.slice(8))
      expect(isWrittenFirst(order) || offered || isSame).toBe(true)
    }),
  )
})
