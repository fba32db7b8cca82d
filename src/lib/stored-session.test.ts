// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'

import { completeSession, type Session, usableSession } from './stored-session.ts'

const CONFIG = { supabaseUrl: 'http://backend.test', publishableKey: 'key', rwgpsUrl: '', sample: true }

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

const complete = { access_token: 'a', refresh_token: 'r', expires_at: 1000, user: { id: 'ann' } } as Session

test.each(['access_token', 'refresh_token', 'expires_at', 'user'] as const)(
  'rejects a session without %s',
  (part) => {
    expect(completeSession(complete)).toBe(complete)
    expect(completeSession({ ...complete, [part]: undefined })).toBeNull()
  },
)

test.each([
  [JSON.stringify(complete), 1000 - 91, true],
  // Auth would refresh it.
  [JSON.stringify(complete), 1000 - 90, false],
  [JSON.stringify({ ...complete, refresh_token: '' }), 0, false],
  ['no JSON', 0, false],
  ['null', 0, false],
])('%s at %d s is usable: %s', (stored, seconds, isUsable) => {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
  localStorage.setItem('sb-backend-auth-token', stored)
  expect(usableSession(CONFIG)).toEqual(isUsable ? complete : null)
})
