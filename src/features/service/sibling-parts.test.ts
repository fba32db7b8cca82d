import { expect, test } from 'vitest'

import { ITEM } from '../entries/fake-item.ts'
import type { Item } from '../entries/fields.ts'
import { siblingsOf } from './sibling-parts.ts'

const bikes = [
  { gear_id: 8, is_retired: false },
  { gear_id: 7, is_retired: false },
  { gear_id: 9, is_retired: true },
]

const tire = (part_id: number, facts: Partial<Item> = {}): Item => ({
  ...ITEM,
  id: part_id,
  part_id,
  kind: 'tire',
  ...facts,
})

const siblings = (part: number, items: Item[]) =>
  siblingsOf(part, items, bikes, '2026-11-28').map(({ part_id }) => part_id)

test('lists the parts of a kind that are on bikes, those of the same bike first', () => {
  const all = [
    tire(1, { bikeId: 8, position: 'rear' }),
    tire(2, { bikeId: 8, position: 'front' }),
    tire(3, { position: 'rear' }),
    tire(4, { position: 'front' }),
    tire(5, { kind: 'chain' }),
    tire(6, { dateEnded: '2026-11-01T01:00:00' }),
    tire(7, { dateStarted: '2026-12-01T01:00:00' }),
    tire(8, { bikeId: 9 }),
    tire(9, { waitingId: 1 }),
  ]
  expect(siblings(3, all)).toEqual([4, 9, 3, 2, 1])
  expect(siblings(5, all)).toEqual([5])
})

test('lists nothing for a part of unknown kind, or one that came off', () => {
  const all = [
    tire(1, { kind: null }),
    tire(2, { kind: null }),
    tire(3, { dateEnded: '2026-11-01T01:00:00' }),
  ]
  for (const part of [1, 3, 99]) expect(siblings(part, all)).toEqual([])
})
