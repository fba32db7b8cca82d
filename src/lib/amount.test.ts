import { expect, test } from 'vitest'

import { addAmounts } from './amount.ts'

test('adds amounts to the cent, refunds included', () => {
  expect(addAmounts([])).toBe(0)
  expect(addAmounts([0.1, 0.2])).toBe(0.3)
  expect(addAmounts([1234, -34.5])).toBe(1199.5)
})
