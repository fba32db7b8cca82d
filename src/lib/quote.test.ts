import { expect, test } from 'vitest'

import { quote } from './quote.ts'

test('a name stands in quotation marks, and a long one is cut between characters', () => {
  expect(quote('Chain')).toBe('“Chain”')
  expect(quote('🚲'.repeat(80))).toBe(`“${'🚲'.repeat(80)}”`)
  expect(quote('🚲'.repeat(1000))).toBe(`“${'🚲'.repeat(80)}…”`)
})
