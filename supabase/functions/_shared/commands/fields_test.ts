import assert from 'node:assert/strict'
import { hoursOf, percentOf } from './fields.ts'

Deno.test('hours are rounded half up, as on the screens', () => {
  // 1.15 hours, which a double stores as a little less.
  assert.deepEqual([4140, 3600, 0, -4140].map(hoursOf), [1.2, 1, 0, -1.1])
})

Deno.test('a share is rounded down to whole percent, without the error of a double', () => {
  assert.deepEqual([29 / 100, 0.999, 1, 57 / 100, 1.1].map(percentOf), [29, 99, 100, 57, 110])
})
