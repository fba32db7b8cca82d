import { expect, test } from 'vitest'

import type { Session } from '../../lib/stored-session.ts'
import { lacksSecondFactor, missingCredential, newPasswordProblem } from './rules.ts'

const token = (claims: object) => `header.${btoa(JSON.stringify(claims)).replace(/=+$/, '')}.signature`

test.each([
  [{ aal: 'aal1' }, ['verified'], true],
  [{ aal: 'aal2' }, ['verified'], false],
  [{ aal: 'aal1' }, ['unverified'], false],
  [{ aal: 'aal1' }, ['unverified', 'verified'], true],
  [{ aal: 'aal1' }, undefined, false],
  // The database still refuses it.
  [{}, ['verified'], false],
])('a token with %j and factors %j lacks the second factor: %s', (claims, statuses, isLacking) => {
  const user = { id: 'ann', factors: statuses?.map((status) => ({ status })) }
  expect(lacksSecondFactor({ access_token: token(claims), user } as Session)).toBe(isLacking)
})

test('an unreadable token lacks no second factor', () => {
  const user = { id: 'ann', factors: [{ status: 'verified' }] }
  expect(lacksSecondFactor({ access_token: 'opaque', user } as Session)).toBe(false)
})

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
