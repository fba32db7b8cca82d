import { expect, test } from 'vitest'

import { type Column, columnsOf, type Month, partsOf, spendingToCsv, topOf, withoutKeys } from './columns.ts'

const MONTHS: Month[] = [
  { month: '2023-12', gear_id: 1, type: 'Tires', cost: 60.1 },
  { month: '2023-12', gear_id: 2, type: 'Tires', cost: 60.2 },
  { month: '2025-02', gear_id: 1, type: null, cost: -10 },
]
const keyOf = ({ type }: Month) => type ?? 'No type'

test('lists every year up to this year', () => {
  expect(columnsOf(MONTHS, 'year', ['No type', 'Tires'], keyOf, '2026-11-21')).toEqual([
    { start: '2023', costs: [0, 120.3], total: 120.3 },
    { start: '2024', costs: [0, 0], total: 0 },
    { start: '2025', costs: [-10, 0], total: -10 },
    { start: '2026', costs: [0, 0], total: 0 },
  ])
})

test('lists the last 24 months, across years', () => {
  const columns = columnsOf(MONTHS, 'month', ['Tires'], keyOf, '2025-03-05')
  expect(columns).toHaveLength(24)
  expect(columns[0]?.start).toBe('2023-04')
  expect(columns.at(-1)?.start).toBe('2025-03')
  expect(columns.find(({ start }) => start === '2023-12')?.total).toBe(120.3)
})

test('lists this year even if there are no costs', () => {
  expect(columnsOf([], 'year', [], keyOf, '2026-11-21')).toEqual([{ start: '2026', costs: [], total: 0 }])
})

test('the CSV file has a row per month, bike and type', () => {
  expect(spendingToCsv(MONTHS.slice(2), 'USD', () => 'Road')).toBe(
    '\uFEFFMonth,Bike,Type,Cost (USD)\r\n2025-02,Road,,-10\r\n',
  )
})

const years = (...costs: number[][]): Column[] =>
  costs.map((costs, index) => ({ start: String(2020 + index), costs, total: 0 }))

test.each<[name: string, costs: number[][], top: number]>([
  ['a year with a new frame', [[3500], [600], [1200], [1650], [500]], 2000],
  ['two years with new frames', [[3500], [3000], [500], [400], [300]], 500],
  ['years that differ little', [[900], [600], [500]], 1000],
  ['no more than a half of the bars', [[900], [100]], 1000],
  ['one cost', [[900], [0], [0]], 1000],
  ['nothing', [], 1],
])('the axis fits %s', (_name, costs, top) => {
  expect(topOf(years(...costs))).toBe(top)
})

test('shortens the longest part of a bar that does not fit, and breaks it', () => {
  const [column] = years([200, 3000, 300]) as [Column]
  const { parts, isCut } = partsOf(column, 1000)
  expect(isCut).toBe(true)
  expect(parts.map(({ index, isBreak = false }) => [index, isBreak])).toEqual([
    [0, false],
    [1, false],
    [1, true],
    [1, false],
    [2, false],
  ])
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(0.88)
  expect([parts[0]!.share, parts[4]!.share]).toEqual([0.2, 0.3])
  expect(partsOf(column, 4000)).toMatchObject({ isCut: false, parts: { length: 3 } })
})

test('leaves out hidden keys', () => {
  expect(
    withoutKeys({ start: '2025', costs: [10.1, 20, 30.2], total: 60.3 }, (index) => index === 1),
  ).toEqual({ start: '2025', costs: [10.1, 0, 30.2], total: 40.3 })
})
