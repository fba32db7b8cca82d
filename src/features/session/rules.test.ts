import { expect, test } from 'vitest'

import { missingCredential, completeSession } from './rules.ts'

const complete = { access_token: 'a', refresh_token: 'r', expires_at: 1 }

test.each(['access_token', 'refresh_token', 'expires_at'] as const)(
  'rejects a session without %s',
  (part) => {
    expect(completeSession(complete)).toBe(complete)
    expect(completeSession({ ...complete, [part]: part === 'expires_at' ? undefined : '' })).toBeNull()
  },
)

test('names the missing credential', () => {
  expect(missingCredential('', '')).toBe('Enter your email and password.')
  expect(missingCredential('', 'x')).toBe('Enter your email.')
  expect(missingCredential('x', '')).toBe('Enter your password.')
  expect(missingCredential('x', 'y')).toBeNull()
})
