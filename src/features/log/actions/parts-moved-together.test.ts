import { expect, test } from 'vitest'

import { ITEM } from '../../entries/fake-item.ts'
import type { Item } from '../../entries/fields.ts'
import { type End, otherEnds } from './parts-moved-together.ts'

const AT = '2024-03-01T01:00:00'

let nextId = 1
const item = (values: Partial<Item>): Item => {
  const id = nextId++
  return { ...ITEM, id, bikeId: 1, part_id: id, type: 'Drivetrain', ...values }
}

const ticked = (end: End, items: Item[]) =>
  otherEnds(end, items).flatMap(({ item, side, belongs }) => (belongs ? [`${item.id} ${side}`] : []))

test('finds the item that replaced it, by type and name', () => {
  const front = item({ type: 'Tires', name: 'GP 5000, front', dateEnded: AT })
  const newRear = item({ type: 'Tires', name: 'GP 5000 S, rear', dateStarted: AT })
  const newFront = item({ type: 'Tires', name: 'GP 5000 S, front', dateStarted: AT })
  const chain = item({ dateStarted: AT })
  const end = { item: front, side: 'end' } as const
  expect(ticked(end, [front, chain, newRear, newFront])).toEqual([`${newFront.id} start`])
  expect(otherEnds(end, [front, chain, newRear, newFront])).toHaveLength(3)
})

test('finds both ends of every part that moved the same way, and no others', () => {
  const wheels = item({ part_id: 90, type: 'Wheels', dateEnded: AT })
  const wheelsThere = item({ part_id: 90, type: 'Wheels', bikeId: 2, dateStarted: AT })
  const tires = item({ part_id: 91, type: 'Tires', dateEnded: AT })
  const tiresThere = item({ part_id: 91, type: 'Tires', bikeId: 2, dateStarted: AT })
  const otherWay = item({ part_id: 92, type: 'Saddle', bikeId: 2, dateEnded: AT })
  const otherWayHere = item({ part_id: 92, type: 'Saddle', dateStarted: AT })
  const stored = item({ type: 'Pedals', dateEnded: AT })
  const items = [wheels, wheelsThere, tires, tiresThere, otherWay, otherWayHere, stored]
  expect(ticked({ item: wheels, side: 'end' }, items).toSorted()).toEqual(
    [`${wheelsThere.id} start`, `${tires.id} end`, `${tiresThere.id} start`].toSorted(),
  )
})

test('finds nothing if no other item starts or ends at that time', () => {
  const chain = item({})
  expect(otherEnds({ item: chain, side: 'start' }, [chain, item({ dateStarted: AT })])).toEqual([])
})
