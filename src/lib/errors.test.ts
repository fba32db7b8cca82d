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
  ['a missing privilege', { code: '42501', message: 'permission denied', status: 403 }, 'forbidden'],
  [
    'a missing privilege without a session',
    { code: '42501', message: 'permission denied', status: 401 },
    'unauthorized',
  ],
  [
    'a violated check constraint',
    {
      code: '23514',
      message:
        'new row for relation "maintenance" violates check constraint "maintenance_ends_after_start_check"',
    },
    'maintenance_ends_after_start_check',
  ],
  ['an error raised in SQL', { code: 'RMT04', message: 'RMT04: The log has changed.' }, 'RMT04'],
  ['a full disk', { code: '53100', message: 'The disk is full', status: 507 }, 'disk_full'],
  ['a full disk on a hosted project', { code: '53100', message: 'could not extend file' }, 'disk_full'],
  ['anything else', 'surprise', 'internal'],
])('%s has its own code', (_what, cause, code) => {
  expect(toAppError(cause).code).toBe(code)
})

test('returns an AppError unchanged', () => {
  const error = new AppError('unknown_bike', 'No bike 7', 404)
  expect(toAppError(error)).toBe(error)
})

test.each([
  [429, 'Too many attempts. Wait a minute, then try again.'],
  [503, 'The tracker is busy or still starting. Try again in a moment.'],
  [507, 'The tracker’s disk is full. Free up some space, then try again.'],
])('status %d has its own message', (status, message) => {
  expect(messageFor(toAppError({ message: '', status }))).toBe(message)
})

test('an unknown code gets a general message that hides its details', () => {
  expect(messageFor(new AppError('invalid_credentials', ''))).toBe('Wrong email or password.')
  expect(messageFor(new AppError('never heard of', 'secret detail'))).toBe('Something went wrong. Try again.')
})
