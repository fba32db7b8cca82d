import { expect, test } from 'vitest'

import { ITEM } from '../entries/fake-item.ts'
import type { Item } from '../entries/fields.ts'
import { sameParts } from './name-kinds.ts'

const one = (part_id: number, facts: Partial<Item> = {}): Item => ({
  ...ITEM,
  id: part_id,
  part_id,
  name: 'Pro One',
  kind: 'tire',
  position: 'rear',
  ...facts,
})

test('offers a correction for other parts of the name that are the same', () => {
  const items = [
    one(1),
    one(1, { id: 9 }),
    one(2, { name: ' pro  one ' }),
    one(2, { id: 8 }),
    one(3, { position: 'front' }),
    one(4, { kind: 'tube' }),
    one(5, { name: 'Pro Two' }),
  ]
  expect(sameParts(items, items[0]!)).toEqual([2])
  const unknown = { kind: null, position: null }
  expect(sameParts([one(1, unknown), one(2), one(3, unknown)], one(1, unknown))).toEqual([3])
})
