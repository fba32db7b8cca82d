import { expect, test, vi } from 'vitest'

import { mapInSteps } from './steps.ts'

test('maps a long list in order, and lets others run in between', async () => {
  const order: (number | string)[] = []
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  setTimeout(() => order.push('other'))
  const mapped = mapInSteps([1, 2, 3, 4], (one) => {
    now += 20
    order.push(one)
    return one * 10
  })
  expect(await mapped).toEqual([10, 20, 30, 40])
  expect(order).toEqual([1, 2, 'other', 3, 4])
})
