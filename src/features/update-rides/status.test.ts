import { expect, test } from 'vitest'

import type { RideSync } from './api.ts'
import { statusLine } from './status.ts'

const ok: RideSync = {
  id: 1,
  outcome: 'ok',
  started_at: '2026-11-20T09:59:59Z',
  finished_at: '2026-11-20T10:00:00Z',
  fetched: 1396,
  added: 2,
  changed: 0,
  removed: 1,
}

test('while an update runs the line tells how far it is', () => {
  expect(statusLine({ fetched: 0 }, ok)).toBe('Updating…')
  expect(statusLine({ fetched: 1000 }, ok)).toBe('Updating: 1,000 rides so far')
})

test('after one it tells when that was, and what it brought', () => {
  expect(statusLine(null, ok)).toMatch(
    /^Last updated Nov \d+, 2026, \d+:00\s[AP]M: 1,396 rides, 2 new, 1 removed$/,
  )
  expect(statusLine(null, { ...ok, fetched: 1, added: 0, removed: 0 })).toMatch(/: 1 ride, nothing new$/)
})

test('before the first it says so', () => {
  expect(statusLine(null, null)).toBe('Rides have not been updated yet')
})
