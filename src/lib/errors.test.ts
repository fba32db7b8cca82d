import { expect, test } from 'vitest'

import { AppError, messageFor, toAppError } from './errors.ts'

test.each([
  [
    'a refused password',
    { name: 'AuthApiError', code: 'invalid_credentials', status: 400 },
    'invalid_credentials',
  ],
  [
    'the same from an older Auth',
    { message: 'Invalid login credentials', status: 400 },
    'invalid_credentials',
  ],
  ['no network in fetch', new TypeError('Failed to fetch'), 'network'],
  ['no network in Auth', { name: 'AuthRetryableFetchError', message: '{}', status: 0 }, 'network'],
  ['a gateway without a backend', { message: 'Bad Gateway', status: 502 }, 'network'],
  ['an expired token', { code: 'PGRST303', message: 'JWT expired', status: 401 }, 'unauthorized'],
  ['a missing right', { code: '42501', message: 'permission denied', status: 403 }, 'forbidden'],
  [
    'a missing right for want of a session',
    { code: '42501', message: 'permission denied', status: 401 },
    'unauthorized',
  ],
  [
    'a broken check',
    {
      code: '23514',
      message:
        'new row for relation "maintenance" violates check constraint "maintenance_ends_after_start_check"',
    },
    'maintenance_ends_after_start_check',
  ],
  ['what the database raised itself', { code: 'RMT04', message: 'RMT04: The log has changed.' }, 'RMT04'],
  [
    'the same, embedded',
    { code: 'SUP', message: 'error: RMT04: The log has changed.', status: 500 },
    'RMT04',
  ],
  [
    'the same, from native PostgreSQL',
    { code: 'SUP', message: 'PostgresError: RMT04: The log has changed.', status: 500 },
    'RMT04',
  ],
  ['a full disk', { code: '53100', message: 'The disk is full', status: 507 }, 'disk_full'],
  ['a full disk of a project', { code: '53100', message: 'could not extend file' }, 'disk_full'],
  ['anything else', 'surprise', 'internal'],
])('%s has a code of its own', (_what, cause, code) => {
  expect(toAppError(cause).code).toBe(code)
})

test('an error that has the shape already is left alone', () => {
  const error = new AppError('unknown_bike', 'No bike 7', 404)
  expect(toAppError(error)).toBe(error)
})

test.each([
  [429, 'Too many attempts. Wait a minute, then try again.'],
  [503, 'The tracker is busy or still starting. Try again in a moment.'],
  [507, 'The tracker’s disk is full. Free some space on it, then try again.'],
])('a %d has a message of its own', (status, sentence) => {
  expect(messageFor(toAppError({ message: '', status }))).toBe(sentence)
})

test('a code without a sentence of its own still gets one', () => {
  expect(messageFor(new AppError('invalid_credentials', ''))).toMatch(/password is not right/)
  expect(messageFor(new AppError('never heard of', 'secret detail'))).toBe('Something went wrong. Try again.')
})
