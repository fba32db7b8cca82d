import { expect, test } from 'vitest'

import { missingCredential, wholeSession, wrongNewPassword } from './rules.ts'

const whole = { access_token: 'a', refresh_token: 'r', expires_at: 1 }

test.each(['access_token', 'refresh_token', 'expires_at'] as const)(
  'a session without %s is none',
  (part) => {
    expect(wholeSession(whole)).toBe(whole)
    expect(wholeSession({ ...whole, [part]: part === 'expires_at' ? undefined : '' })).toBeNull()
  },
)

test('signing in needs both, and says which one is missing', () => {
  expect(missingCredential('', '')).toMatch(/e-mail and your password/)
  expect(missingCredential('', 'x')).toBe('Enter your e-mail.')
  expect(missingCredential('x', '')).toBe('Enter your password.')
  expect(missingCredential('x', 'y')).toBeNull()
})

test.each([
  ['x'.repeat(72), null],
  ['x'.repeat(73), 'Use at most 72 characters, or fewer with accents or emoji.'],
  ['é'.repeat(36), null],
  ['é'.repeat(37), 'Use at most 72 characters, or fewer with accents or emoji.'],
])('a new password of %s: %s', (password, message) => {
  expect(wrongNewPassword(password, password)).toBe(message)
})
