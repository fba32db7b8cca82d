import fc from 'fast-check'
import { expect, test } from 'vitest'

import { isSomePartInTwoPlaces, onePeriod, type Period } from '../../../tests/database/places.ts'
import { US } from '../../lib/fake-formats.ts'
import { findOverlaps } from './overlaps.ts'

const ITEM = { id: 0, type: null, name: 'Chain', description: null, cost: 0, ended_as: null }
const EARLIER = { earlier_distance: null, earlier_moving_time: null }

// The log itself never has a part in two places.
const stored = fc
  .array(onePeriod, { maxLength: 5 })
  .filter((periods) => !isSomePartInTwoPlaces(periods))
  .map((periods) => periods.map((period, id) => ({ ...ITEM, ...period, id })))

test('refuses lines until no part is in two places, and none if no part is', () => {
  fc.assert(
    fc.property(
      stored,
      fc.array(fc.record({ nth: fc.nat(), after: onePeriod }), { maxLength: 3 }),
      fc.array(onePeriod, { maxLength: 3 }),
      (items, edits, additions) => {
        const changed = new Map(
          edits.flatMap(({ nth, after: { dateStarted, dateEnded } }) => {
            const item = items[nth % items.length]
            return item ? [[item.id, { item, after: { ...item, dateStarted, dateEnded } }]] : []
          }),
        )
        const changedLines = Array.from(changed.values(), (change, line) => Object.assign(change, { line }))
        const addedLines = additions.map((values, index) => ({
          line: 10 + index,
          bike: { gear_id: values.bikeId, name: 'Road' },
          values: { ...ITEM, ...EARLIER, ...values },
          partId: values.part_id,
          partOf: { ...ITEM, ...values },
        }))
        const planned = (refused: ReadonlyMap<number, string>): Period[] => [
          ...items.map((item) => {
            const change = changedLines.find((one) => one.item === item)
            return change && !refused.has(change.line) ? change.after : item
          }),
          ...additions.filter((_period, index) => !refused.has(10 + index)),
        ]
        const refused = findOverlaps(items, changedLines, addedLines, [], US)
        expect(isSomePartInTwoPlaces(planned(refused))).toBe(false)
        expect(refused.size > 0).toBe(isSomePartInTwoPlaces(planned(new Map())))
      },
    ),
    { numRuns: 500 },
  )
})
