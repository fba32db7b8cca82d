import { expect, test } from 'vitest'

import { ITEM } from '../../entries/fake-item.ts'
import type { Item } from '../../entries/fields.ts'
import { rotationOf } from './rotation.ts'

const tire = (id: number, position: Item['position'], facts: Partial<Item> = {}): Item => ({
  ...ITEM,
  id,
  part_id: id,
  name: `Tire ${id}`,
  kind: 'tire',
  position,
  ...facts,
})
const [FRONT, REAR] = [tire(1, 'front'), tire(2, 'rear', { dateStarted: '2024-02-01T01:00:00' })]

test('rotates what is at both ends, or at one, and knows when the latest part was installed', () => {
  const ended = tire(3, 'rear', { dateEnded: '2024-01-20T01:00:00' })
  const chain = tire(4, null, { kind: 'chain' })
  const rotation = rotationOf([FRONT, ended, chain, REAR], 'tire', [])
  expect(rotation).toEqual({ at: { front: FRONT, rear: REAR }, latest: REAR })
  expect(rotationOf([REAR], 'tire', [])).toEqual({ at: { front: null, rear: REAR }, latest: REAR })
})

test.each<[why: string, items: Item[], drafted: number[], problem: string]>([
  ['none is in use', [{ ...FRONT, dateEnded: '2024-03-01' }], [], 'No tires are in use on this bike.'],
  [
    'an end is unknown',
    [FRONT, tire(3, null)],
    [],
    'It isn’t known whether “Tire 3” is at the front or at the rear. Choose it in its details first.',
  ],
  [
    'a pair is one entry',
    [tire(3, 'both')],
    [],
    '“Tire 3” is one entry for the front and the rear, so there is nothing to rotate.',
  ],
  [
    'two are at one end',
    [FRONT, REAR, tire(3, 'rear')],
    [],
    '“Tire 2” and “Tire 3” are both at the rear. End or correct one of them first.',
  ],
  ['a part has drafts', [FRONT, REAR], [2], 'Save or restore your changes to “Tire 2” first.'],
])('says why nothing can be rotated if %s', (_, items, drafted, problem) => {
  expect(rotationOf(items, 'tire', drafted)).toEqual({ problem })
})
