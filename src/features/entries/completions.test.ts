import { expect, test } from 'vitest'

import { US } from '../../lib/fake-formats.ts'

import { completionsOf, filledBy } from './completions.ts'
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

const NOTHING = { name: '', type: '', cost: '' }

test.each([
  ['replaces what the former one filled in', {}, { name: 'Bell', type: '', cost: '$8.00' }],
  ['keeps what was entered', { cost: '$50' }, { name: 'Bell', type: '', cost: '$50' }],
  ['fills in what is empty', { cost: '' }, { name: 'Bell', type: '', cost: '$8.00' }],
])('a second completion %s', (_, entered, filled) => {
  const former = filledBy(
    { name: 'GravelKing', type: 'Tires', cost: 52 },
    { inputs: { ...NOTHING, name: 'Gra' }, initial: NOTHING, former: {} },
    US,
  )
  expect(former).toEqual({ name: 'GravelKing', type: 'Tires', cost: '$52.00' })
  const inputs = { ...former, ...entered }
  const bell = { name: 'Bell', type: null, cost: 8 }
  expect({ ...inputs, ...filledBy(bell, { inputs, initial: NOTHING, former }, US) }).toEqual(filled)
})
