import { expect, test } from 'vitest'

import type { Ride } from './api.ts'
import { toRows } from './rows.ts'
import { MEASURE_KEYS } from '../../lib/measures.ts'
import { readSort, sortRows, writeSort } from './sort.ts'

const bikes = new Map([
  [1, 'Bike 10'],
  [2, 'Bike 2'],
])
const rows = (rides: Partial<Ride>[]) =>
  toRows(
    rides.map((ride, index) => ({ id: index + 1, name: null, gear_id: null, ...ride }) as Ride),
    bikes,
  )
const names = (sort: string, given: (string | null)[]) =>
  sortRows(rows(given.map((name) => ({ name }))), readSort(sort)).map((row) => row.name)

test('sorts names in natural order both ways, missing names last', () => {
  const given = ['Ride 10', null, 'Ride 2', 'ride 1', 'Älpli']
  expect(names('name', given)).toEqual(['Älpli', 'ride 1', 'Ride 2', 'Ride 10', null])
  expect(names('-name', given)).toEqual(['Ride 10', 'Ride 2', 'ride 1', 'Älpli', null])
})

test.each(MEASURE_KEYS)('sorts %s including 0 both ways, missing values last', (measure) => {
  const given = rows([100, null, 0, 99.5].map((value) => ({ [measure]: value })))
  const sorted = (sort: string) => sortRows(given, readSort(sort)).map((row) => row[measure])
  expect(sorted(measure)).toEqual([0, 99.5, 100, null])
  expect(sorted(`-${measure}`)).toEqual([100, 99.5, 0, null])
})

test('sorts gear by bike name, unknown gear last', () => {
  const given = rows([{ gear_id: 3 }, { gear_id: 1 }, { gear_id: 2 }])
  expect(sortRows(given, readSort('gear')).map((row) => row.gear_id)).toEqual([2, 1, 3])
  expect(sortRows(given, readSort('-gear')).map((row) => row.gear_id)).toEqual([1, 2, 3])
})

test('sorts thumbnails by photo, then map', () => {
  const given = rows([
    { highlighted_photo_id: null, has_map: false },
    { highlighted_photo_id: null, has_map: true },
    { highlighted_photo_id: 5, has_map: true },
  ])
  expect(sortRows(given, readSort('-thumbnail')).map((row) => row.id)).toEqual([3, 2, 1])
  expect(sortRows(given, readSort('thumbnail')).map((row) => row.id)).toEqual([2, 3, 1])
})

test('sorts by start both ways, rides without a start last', () => {
  const given = rows([
    { started_at: '2024-01-02T09:00:00' },
    { started_at: null },
    { started_at: '2024-01-02T18:00:00' },
    { started_at: '2023-12-31T09:00:00' },
  ])
  expect(sortRows(given, readSort('date')).map((row) => row.id)).toEqual([4, 1, 3, 2])
  expect(sortRows(given, readSort('-date')).map((row) => row.id)).toEqual([3, 1, 4, 2])
})

test('sorts rides with the same name newest first in both directions', () => {
  const given = rows([
    { name: 'Loop', started_at: '2024-01-01T09:00:00' },
    { name: 'Loop', started_at: '2024-03-01T09:00:00' },
    { name: 'Loop', started_at: '2024-02-01T09:00:00' },
  ])
  for (const sort of ['name', '-name']) {
    expect(sortRows(given, readSort(sort)).map((row) => row.id)).toEqual([2, 3, 1])
  }
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
