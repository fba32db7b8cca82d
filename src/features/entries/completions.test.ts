import { expect, test } from 'vitest'

import { completionsOf } from './completions.ts'
import { ITEM } from './fake-item.ts'

const entry = (id: number, year: number, name: string, cost: number, type: string | null = 'Tires') => ({
  ...ITEM,
  id,
  name,
  cost,
  type,
  dateStarted: `${year}-03-01T01:00:00`,
})

test('lists each name once, newest first, with its type and last cost', () => {
  const log = [
    entry(1, 2021, 'GravelKing', 48, null),
    entry(2, 2023, 'gravelking', 52),
    entry(3, 2024, 'GravelKing', 0),
    entry(4, 2022, 'Bell', 0, null),
  ]
  expect(completionsOf(log)).toEqual([
    { name: 'GravelKing', type: 'Tires', cost: 52 },
    { name: 'Bell', type: null, cost: 0 },
  ])
})
