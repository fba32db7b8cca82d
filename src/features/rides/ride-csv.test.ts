import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Formats } from '../../lib/formats.ts'
import type { Ride } from './api.ts'
import { csvFileName, ridesToCsv } from './ride-csv.ts'
import { toRows } from './rows.ts'

const RIDE = {
  id: 7,
  name: '=cmd, "x"',
  gear_id: 1,
  started_at: '2024-05-06T07:08:09',
  distance: 16_090.4,
  duration: 3725,
  moving_time: null,
  max_speed: 40.2,
  avg_speed: 16.09,
  avg_hr: 140,
  max_hr: null,
  avg_watts: 150,
  max_watts: null,
  avg_cad: 80,
  elevation_gain: 100,
} as Ride

const lines = (ride: Ride, formats: Formats) =>
  ridesToCsv(toRows([ride], new Map([[1, 'Domane']])), formats).split('\r\n')

test('writes each measure as stored and as shown', () => {
  expect(lines(RIDE, US)[1]).toBe(
    `7,"'=cmd, ""x""",Domane,2024-05-06 07:08:09,16090.4,10,3725,01:02:05,,,40.2,25,16.09,10,140,,150,yes,,80,100,328`,
  )
})

test('writes a measure once if it is shown in the stored unit', () => {
  const [head, row] = lines(RIDE, KILOMETERS)
  expect(row).toBe(
    `7,"'=cmd, ""x""",Domane,2024-05-06 07:08:09,16090.4,16.1,3725,01:02:05,,,40.2,16.09,140,,150,yes,,80,100`,
  )
  expect(head).toContain('Distance (m),Distance (km),')
  expect(head).toContain('Max Speed (km/h),Avg Speed (km/h),')
})

test.each([US, KILOMETERS])('every row has a cell for every header in $name', (formats) => {
  const [head, row] = lines({ ...RIDE, name: 'a' }, formats)
  expect(row?.split(',')).toHaveLength(head?.split(',').length ?? 0)
})

test.each([
  ['Blue Domane', 'rides-blue-domane-2024-05-06.csv'],
  ['Vélo / “été”', 'rides-velo-ete-2024-05-06.csv'],
  ['自転車', 'rides-2024-05-06.csv'],
])('names the file for %s %s', (gear, expected) => {
  expect(csvFileName(gear, '2024-05-06')).toBe(expected)
})
