import { expect, test } from 'vitest'

import { columnsOf, type Month, spendingToCsv } from './columns.ts'

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
