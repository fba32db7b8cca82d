import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { AppError, messageFor, noteRetryAfter, toAppError, unwrap } from './errors.ts'

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
  ['an error raised in SQL', { code: 'RMT04', message: 'RMT04: The log has changed.' }, 'RMT04'],
  ['a full disk', { code: '53100', message: 'The disk is full', status: 507 }, 'disk_full'],
  ['a full disk on a hosted project', { code: '53100', message: 'could not extend file' }, 'disk_full'],
  ['anything else', 'surprise', 'internal'],
])('%s has its own code', (_what, cause, code) => {
  expect(toAppError(cause).code).toBe(code)
})

test.each([
  ['the data API', { error: { message: '', status: 'error' }, status: 502 }, 502],
  ['Auth', { error: { message: '', status: 422 } }, 422],
])('keeps the HTTP status of an error of %s', (_what, result, status) => {
  expect(() => unwrap({ data: null, ...result })).toThrow(expect.objectContaining({ status }))
})

test('returns an AppError unchanged', () => {
  const error = new AppError('unknown_bike', 'No bike 7', 404)
  expect(toAppError(error)).toBe(error)
})

test('says that a statement took too long', () => {
  const error = { code: '57014', message: 'canceling statement due to statement timeout', status: 500 }
  expect(messageFor(toAppError(error))).toBe(
    'This took the tracker too long, so it was canceled. Try again, or split a large import into smaller files.',
  )
})

test.each([
  [429, 'Too many attempts. Wait a minute, then try again.'],
  [503, 'The tracker is busy or still starting. Try again in a moment.'],
  [504, 'The tracker or its proxy took too long. Try again in a moment.'],
  [507, 'The tracker’s disk is full. Free up some space, then try again.'],
  [
    413,
    'This is too large for the tracker or its proxy. Send less at once, or raise the proxy’s limit for requests.',
  ],
  [
    414,
    'This is too large for the tracker or its proxy. Send less at once, or raise the proxy’s limit for requests.',
  ],
  [
    431,
    'This is too large for the tracker or its proxy. Send less at once, or raise the proxy’s limit for requests.',
  ],
])('status %d has its own message', (status, message) => {
  expect(messageFor(toAppError({ message: '', status }))).toBe(message)
})

test.each([
  ['email_address_not_authorized', /^The project cannot send email to this address\. .*SMTP/],
  ['current_password_required', /^The project requires your current password .*Auth settings\.$/],
])('explains %s of a hosted project', (code, message) => {
  const cause = { name: 'AuthApiError', code, message: '', status: 400 }
  expect(messageFor(toAppError(cause))).toMatch(message)
})

test('an unknown code gets a general message that hides its details', () => {
  expect(messageFor(new AppError('invalid_credentials', ''))).toBe('Wrong email or password.')
  expect(messageFor(new AppError('never heard of', 'secret detail'))).toBe('Something went wrong. Try again.')
})

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2024-05-06T07:08:00Z') }))
afterEach(() => void vi.useRealTimers())

const note = (status: number, retryAfter?: string) =>
  noteRetryAfter(new Response(null, { status, headers: retryAfter ? { 'Retry-After': retryAfter } : {} }))

const tooMany = new AppError('over_request_rate_limit', '', 429)

test.each([
  ['1', 'Too many attempts. Try again in 1 second.'],
  ['30', 'Too many attempts. Try again in 30 seconds.'],
  ['100', 'Too many attempts. Try again in 2 minutes.'],
  ['Mon, 06 May 2024 07:09:00 GMT', 'Too many attempts. Try again in 60 seconds.'],
  ['soon', 'Too many attempts. Wait a minute, then try again.'],
  [undefined, 'Too many attempts. Wait a minute, then try again.'],
])('a 429 with Retry-After %s says when to try again', (retryAfter, message) => {
  note(429, retryAfter)
  expect(messageFor(tooMany)).toBe(message)
})

test('counts down, then falls back to the general message', () => {
  note(429, '30')
  vi.advanceTimersByTime(20_000)
  expect(messageFor(tooMany)).toBe('Too many attempts. Try again in 10 seconds.')
  vi.advanceTimersByTime(20_000)
  expect(messageFor(tooMany)).toBe('Too many attempts. Wait a minute, then try again.')
})

test('only 429 and 503 set the time, and the newest one wins', () => {
  note(429, '30')
  note(200, '90')
  expect(messageFor(tooMany)).toContain('30 seconds')
  note(503, '5')
  expect(messageFor(new AppError('network', '', 503))).toBe(
    'The tracker is busy or still starting. Try again in 5 seconds.',
  )
})
