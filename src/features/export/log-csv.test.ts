import { expect, test } from 'vitest'

import { GERMAN, KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Formats } from '../../lib/formats.ts'
import { ITEM } from '../entries/fake-item.ts'
import type { Item } from '../entries/fields.ts'
import { logToCsv } from './log-csv.ts'

const item: Item = {
  ...ITEM,
  type: 'Drivetrain',
  name: '=chain, "KMC"',
  cost: 45.1,
  part_id: 12,
  kind: 'chain',
}
const DOMANE = { gear_id: 7, name: 'Domane' }
const USAGE = { rides: 1, distance: 16_090, moving_time: 3725 }
const lines = (formats: Formats) => logToCsv([{ item, bike: DOMANE, usage: USAGE }], formats).split('\r\n')

test('writes the keys, fields and usage of an item', () => {
  const [head, line] = lines(US)
  expect(head).toBe(
    '\uFEFFID,Bike ID,Bike,Type,Name,Description,Cost,Start,End,Link,Ended as,Earlier distance (m),Earlier time (s),Part,Use Miles,Use Time,Kind,Position',
  )
  expect(line).toBe(`1,7,Domane,Drivetrain,"'=chain, ""KMC""",KMC,45.1,2024-01-10,,,,,,12,10,01:02:05,chain,`)
})

test('writes distances in the chosen units', () => {
  const [head, line] = lines(KILOMETERS)
  expect(head).toMatch(/,Part,Use Kilometers,Use Time,Kind,Position$/)
  expect(line).toMatch(/,16\.1,01:02:05,chain,$/)
})

test('writes the end as a day, and leaves unknown usage empty', () => {
  const end = { dateEnded: '2024-02-01T01:00:00', ended_as: 'worn' }
  const tire: Item = { ...item, name: 'Tire', type: null, kind: 'tire', position: 'rear', ...end }
  const text = logToCsv([{ item: tire, bike: DOMANE, usage: undefined }], US)
  expect(text.split('\r\n')[1]).toBe('1,7,Domane,,Tire,KMC,45.1,2024-01-10,2024-02-01,,worn,,,12,,,tire,rear')
})

test('writes the distance that a part was ridden before the log', () => {
  const used = { ...item, earlier_distance: 1_930_800, earlier_moving_time: null }
  const text = logToCsv([{ item: used, bike: DOMANE, usage: USAGE }], KILOMETERS)
  expect(text.split('\r\n')[1]).toMatch(/,1930800,,12,16.1,01:02:05,chain,$/)
})

test('writes the currency into the header of costs, and plain numbers and ISO days whatever the formats', () => {
  const [head, line] = lines(GERMAN)
  expect(head).toContain(',Cost (EUR),Start,End,')
  expect(line).toBe(lines(KILOMETERS)[1])
})
