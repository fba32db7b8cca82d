import { expect, test } from 'vitest'

import { ITEM } from '../../entries/fake-item.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { axisOf, dayNumber, placeOf, ticksOf, toClusters, toLanes, yearsOf } from './layout.ts'

let ids = 0
function item(name: string, from: string, to: string | null = null, type: Item['type'] = 'Drivetrain'): Item {
  const dates = { dateStarted: `${from}T01:00:00`, dateEnded: to && `${to}T01:00:00` }
  return { ...ITEM, id: ++ids, part_id: ids, type, name, ...dates }
}

const namesIn = (items: Item[]) =>
  toLanes(items).map(({ items }) => items.map(({ name }) => name).join(' > '))

test('a part, its successor and the same part installed again share a lane', () => {
  expect(
    namesIn([
      item('Chain, 11-speed', '2020-01-01', '2021-01-01'),
      item('Cassette 11-30', '2020-01-01', '2021-01-01'),
      item('Shimano 105 cassette', '2021-01-01'),
      item('KMC chain', '2021-01-01', '2022-01-01'),
      item('kmc chain ', '2022-06-01'),
    ]),
  ).toEqual(['Chain, 11-speed > KMC chain > kmc chain ', 'Cassette 11-30 > Shimano 105 cassette'])
})

const tire = (name: string, from: string, to?: string) => item(name, from, to, 'Tires')
const dayOf = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

test('front and rear keep their lanes when both change on the same day', () => {
  expect(
    namesIn([
      tire('GP 5000 28, front', '2021-01-01', '2022-01-01'),
      tire('GP 5000 28, rear', '2021-01-01', '2022-01-01'),
      tire('GP 5000 S TR 30, rear', '2022-01-01'),
      tire('GP 5000 S TR 30, front', '2022-01-01'),
    ]),
  ).toEqual(['GP 5000 28, front > GP 5000 S TR 30, front', 'GP 5000 28, rear > GP 5000 S TR 30, rear'])
})

test('another name continues a lane only if nothing else ends or starts on that day', () => {
  const swapped = [
    item('P3', '2020-01-01', '2021-01-01', 'Saddle'),
    item('Antares', '2021-01-01', null, 'Saddle'),
  ]
  expect(namesIn(swapped)).toEqual(['P3 > Antares'])
  expect(namesIn([...swapped, item('Bag', '2021-01-01', null, 'Saddle')])).toHaveLength(3)
})

test('items that overlap never share a lane, and work has no lane', () => {
  const random = Array.from({ length: 300 }, (_, n) => {
    const from = 18_000 + ((n * 7919) % 900)
    return item(`Part ${n % 7}`, dayOf(from), n % 5 === 0 ? null : dayOf(from + ((n * 31) % 200)))
  })
  const lanes = toLanes(random)
  expect(lanes.flatMap(({ items }) => items).toSorted((a, b) => a.id - b.id)).toEqual(
    random.filter((one) => !isWork(one)),
  )
  for (const { items } of lanes) {
    for (const [index, { dateEnded }] of items.slice(0, -1).entries())
      expect(dateEnded !== null && dateEnded <= items[index + 1]!.dateStarted).toBe(true)
  }
})

const span = (first: string, last: string) => ({
  from: dayNumber(first as never),
  to: dayNumber(last as never),
})

test('a part that was installed for less than a day has a bar without width', () => {
  const tube = { ...item('Tube', '2024-03-01'), dateEnded: '2024-03-01T18:30:00' }
  expect(namesIn([tube])).toEqual(['Tube'])
  expect(placeOf(tube, span('2024-01-01', '2025-01-01'), '2024-07-01')).toMatchObject({ width: 0 })
  for (const other of [span('2024-03-02', '2025-01-01'), span('2024-01-01', '2024-03-01')])
    expect(placeOf(tube, other, '2024-07-01')).toBeNull()
})

test('orders lanes by type, with items without a type last', () => {
  const lanes = toLanes([
    item('Fenders', '2020-01-01', null, null),
    item('Saddle', '2020-01-01', null, 'Saddle'),
    item('Frame', '2021-01-01', null, 'Frame'),
  ])
  expect(lanes.map(({ type }) => type)).toEqual(['Frame', 'Saddle', null])
})

test('the axis covers rides, items and today, or a year', () => {
  const items = [item('Chain', '2024-03-15')]
  const axis = axisOf(items, [{ month: '2023-11' }], '2024-06-01', '')
  expect(axis.from).toBe(dayNumber('2023-11-01'))
  expect(axis.to).toBeGreaterThan(dayNumber('2024-06-01'))
  expect(axisOf(items, [], '2024-06-01', '2024')).toEqual({
    from: dayNumber('2024-01-01'),
    to: dayNumber('2025-01-01'),
  })
  expect(yearsOf(items, [{ month: '2022-11' }], '2024-06-01')).toEqual(['2024', '2023', '2022'])
  expect(axisOf([], [], '2024-06-15', '').from).toBe(dayNumber('2024-06-01'))
})

test('bars in use end today, planned bars end with the axis, and bars outside it are left out', () => {
  const axis = { from: dayNumber('2024-01-01'), to: dayNumber('2025-01-01') }
  const place = (from: string, to: string | null) => placeOf(item('Chain', from, to), axis, '2024-07-01')
  expect(place('2023-01-01', null)).toEqual({
    start: 0,
    width: 183 / 366,
    startsBefore: true,
    endsAfter: false,
  })
  expect(place('2024-10-01', null)).toMatchObject({ width: expect.closeTo(92 / 366, 9), endsAfter: false })
  expect(place('2024-12-31', '2025-01-05')).toMatchObject({
    width: expect.closeTo(1 / 366, 9),
    endsAfter: true,
  })
  expect(place('2022-01-01', '2024-01-01')).toBeNull()
  expect(place('2025-01-01', null)).toBeNull()
})

test.each([
  ['2024-01-01', '2025-01-01', 12, 12, '2024 Feb Mar'],
  ['2024-01-01', '2025-01-01', 6, 6, '2024 Mar May'],
  ['2020-11-01', '2026-12-01', 12, 6, '2021 2022 2023'],
  ['1900-01-01', '2026-12-01', 12, 7, '1900 1920 1940'],
])('labels the axis from %s to %s with at most %d ticks', (from, to, maxTicks, count, first) => {
  const ticks = ticksOf({ from: dayNumber(from as never), to: dayNumber(to as never) }, maxTicks)
  expect(ticks).toHaveLength(count)
  expect(
    ticks
      .slice(0, 3)
      .map(({ label }) => label)
      .join(' '),
  ).toBe(first)
})

test('joins marks that are close to each other', () => {
  const axis = { from: dayNumber('2024-01-01'), to: dayNumber('2025-01-01') }
  const services = ['2024-03-20', '2023-12-31', '2024-03-01', '2024-03-09', '2024-03-10'] as const
  const clusters = toClusters(
    services.map((day) => ({ day, name: 'Wax', itemId: null })),
    axis,
    10,
  )
  expect(clusters.map((cluster) => cluster.map(({ day }) => day))).toEqual([
    ['2024-03-01', '2024-03-09', '2024-03-10'],
    ['2024-03-20'],
  ])
})
