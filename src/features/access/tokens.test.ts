import { expect, test } from 'vitest'

import { DEFAULT_SETTINGS } from '../../lib/settings.ts'
import { formatsFor } from '../../lib/formats.ts'
import { describeToken, type Token } from './tokens.ts'

const formats = formatsFor({ ...DEFAULT_SETTINGS, dates: 'DD.MM.YYYY' })
const now = Date.parse('2026-11-22T12:30:00')
const at = (local: string) => new Date(local).toISOString()
const token: Token = {
  id: 1,
  name: 'Home Assistant',
  scope: 'read',
  created_at: at('2026-11-01T08:00'),
  last_used_at: null,
  expires_at: null,
  is_expired: false,
}

test.each<[Partial<Token>, string]>([
  [{}, 'Read · made 01.11.2026 · never used · no expiry'],
  [{ scope: 'read and write' }, 'Read and write · made 01.11.2026 · never used · no expiry'],
  [{ last_used_at: at('2026-11-22T12:00') }, 'Read · made 01.11.2026 · used in the last hour · no expiry'],
  [{ last_used_at: at('2026-11-22T09:00') }, 'Read · made 01.11.2026 · used 3 h ago · no expiry'],
  [{ expires_at: at('2027-01-30T08:00') }, 'Read · made 01.11.2026 · never used · expires 30.01.2027'],
  [
    { expires_at: at('2026-11-20T08:00'), is_expired: true },
    'Read · made 01.11.2026 · never used · expired 20.11.2026',
  ],
])('describes %j as %s', (change, text) => {
  expect(describeToken({ ...token, ...change }, formats, now)).toBe(text)
})
