import { expect, test } from 'vitest'

import { totalCost } from './costs.ts'

test('costs are added up to the cent, refunds included', () => {
  expect(totalCost([])).toBe(0)
  expect(totalCost([{ cost: 0.1 }, { cost: 0.2 }])).toBe(0.3)
  expect(totalCost([{ cost: 1234 }, { cost: -34.5 }])).toBe(1199.5)
})
