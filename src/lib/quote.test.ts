import { expect, test } from 'vitest'

import { quote } from './quote.ts'

test('quotes a name and cuts a long one between characters', () => {
  expect(quote('Chain')).toBe('“Chain”')
  expect(quote('🚲'.repeat(80))).toBe(`“${'🚲'.repeat(80)}”`)
  expect(quote('🚲'.repeat(1000))).toBe(`“${'🚲'.repeat(80)}…”`)
})
