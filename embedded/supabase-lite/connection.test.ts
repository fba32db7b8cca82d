import { expect, test } from 'vitest'
import { requireVersion } from './connection.ts'

test('accepts only the version that it fits', () => {
  requireVersion()
  expect(() => requireVersion('0.11.0')).toThrow('The tracker fits Supabase Lite 0.10.0, not 0.11.0.')
})
