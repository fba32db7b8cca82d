import { expect, test } from 'vitest'

import { rowAfter } from './row-keys.ts'

test.each([
  ['ArrowDown', 4, 5],
  ['ArrowUp', 4, 3],
  ['PageDown', 4, 11],
  ['PageUp', 14, 7],
  ['Home', 4, 0],
  ['End', 4, 99],
  ['ArrowDown', 99, 99],
  ['ArrowUp', 0, 0],
  ['PageDown', 97, 99],
  ['PageUp', 3, 0],
  ['Enter', 4, undefined],
  ['a', 4, undefined],
])('%s on row %d of 100 moves to row %s', (key, row, expected) => {
  expect(rowAfter(key, row, 100, 7)).toBe(expected)
})
