import { expect, test } from 'vitest'

import type { Ride } from './api.ts'
import { toRows } from './rows.ts'
import { MEASURE_KEYS } from '../../lib/measures.ts'
import { readSort, type SortKey, sortRows, writeSort } from './sort.ts'

const bikes = new Map([
  [1, 'Bike 10'],
  [2, 'Bike 2'],
])
const rows = (rides: Partial<Ride>[]) =>
  toRows(
    rides.map((ride, index) => ({ id: index + 1, name: null, gear_id: null, ...ride }) as Ride),
    bikes,
  )
/** The ids of the rides in ascending and in descending order. */
const bothWays = (key: SortKey, rides: Partial<Ride>[]) =>
  [false, true].map((desc) => sortRows(rows(rides), { key, desc }).map(({ id }) => id))

test('sorts names in natural order, missing names last', () => {
  const names = ['Ride 10', null, 'Ride 2', 'ride 1', 'Älpli'].map((name) => ({ name }))
  expect(bothWays('name', names)).toEqual([
    [5, 4, 3, 1, 2],
    [1, 3, 4, 5, 2],
  ])
})

test.each(MEASURE_KEYS)('sorts %s including 0, missing values last', (measure) => {
  const measured = [100, null, 0, 99.5].map((value) => ({ [measure]: value }))
  expect(bothWays(measure, measured)).toEqual([
    [3, 4, 1, 2],
    [1, 4, 3, 2],
  ])
})

test('sorts gear by bike name, unknown gear last', () => {
  const gears = [3, 1, 2].map((gear_id) => ({ gear_id }))
  expect(bothWays('gear', gears)).toEqual([
    [3, 2, 1],
    [2, 3, 1],
  ])
})

test('sorts thumbnails by photo, then map', () => {
  const [map, photo] = [{ has_map: true }, { has_map: true, highlighted_photo_id: 5 }]
  expect(
    bothWays('thumbnail', [{ highlighted_photo_id: null }, { highlighted_photo_id: null, ...map }, photo]),
  ).toEqual([
    [2, 3, 1],
    [3, 2, 1],
  ])
})

const at = (...starts: (string | null)[]) => starts.map((started_at) => ({ name: 'Loop', started_at }))

test('sorts by start, rides without a start last', () => {
  const rides = at('2024-01-02T09:00:00', null, '2024-01-02T18:00:00', '2023-12-31T09:00:00')
  expect(bothWays('date', rides)).toEqual([
    [4, 1, 3, 2],
    [3, 1, 4, 2],
  ])
})

test('sorts rides with the same name newest first in both directions', () => {
  const rides = at('2024-01-01T09:00:00', '2024-03-01T09:00:00', '2024-02-01T09:00:00')
  expect(bothWays('name', rides)).toEqual([
    [2, 3, 1],
    [2, 3, 1],
  ])
})

test.each(['distance', '-distance', '-name', 'date', 'thumbnail'] as const)(
  'reads back %s from the address',
  (written) => {
    expect(writeSort(readSort(written))).toBe(written)
  },
)

test.each([undefined, '', 'id', '-id', '--name'])(
  'reads %s in the address as Name, descending',
  (written) => {
    expect(readSort(written)).toEqual({ key: 'name', desc: true })
  },
)
