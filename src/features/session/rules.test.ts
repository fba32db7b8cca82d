import { expect, test } from 'vitest'

import { completeSession, missingCredential, newPasswordProblem } from './rules.ts'

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

test.each([
  ['x'.repeat(72), null],
  ['x'.repeat(73), 'Use at most 72 characters, or fewer with accents or emoji.'],
  ['é'.repeat(36), null],
  ['é'.repeat(37), 'Use at most 72 characters, or fewer with accents or emoji.'],
])('a new password of %s: %s', (password, message) => {
  expect(newPasswordProblem(password, password)).toBe(message)
})
