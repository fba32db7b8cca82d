import { expect, test } from 'vitest'

import type { Ride } from './api.ts'
import { toRows } from './rows.ts'

const ride = (name: string | null, gear_id: number | null = 1) => ({ id: 1, name, gear_id }) as Ride
const at = (id: number, started_at: string | null) => ({ ...ride('a'), id, started_at })
const rank = (name: string | null, all: (string | null)[]) =>
  toRows(
    all.map((n) => ride(n)),
    new Map(),
  ).find((row) => row.name === name)?.nameRank

test('ranks names in natural order', () => {
  const names = ['Ride 10', 'Ride 2', 'ride 1', null]
  expect(rank('Ride 2', names)).toBeLessThan(rank('Ride 10', names) ?? 0)
  expect(rank('ride 1', names)).toBe(0)
})

test('a missing or blank name has no rank, and equal names share one', () => {
  expect([rank(null, ['a', null]), rank(' ', ['a', ' '])]).toEqual([null, null])
  expect(toRows([ride('a'), ride('b'), ride('a')], new Map()).map((row) => row.nameRank)).toEqual([0, 1, 0])
})

test('names gear after its bike, and leaves unknown gear unnamed', () => {
  const rows = toRows([ride('a', 1), ride('a', 2), ride('a', null)], new Map([[1, 'Domane']]))
  expect(rows.map((row) => row.gearName)).toEqual(['Domane', null, null])
})

test('returns the newest ride first', () => {
  const rides = [at(1, '2024-01-01T00:00:00'), at(2, null), at(3, '2024-05-01T00:00:00')]
  expect(toRows(rides, new Map()).map((row) => row.id)).toEqual([3, 1, 2])
})
