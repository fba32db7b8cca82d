import { expect, test } from 'vitest'

import { formatSize } from './sizes.ts'

test.each([
  [1, '1 kB'],
  [311_400, '305 kB'],
  [1_024_001, '1 MB'],
  [5 * 2 ** 20, '5 MB'],
  [5 * 2 ** 20 + 1, '5.1 MB'],
  [1234.5 * 2 ** 20, '1,234.5 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
