import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { AppError, messageFor } from './errors.ts'
import { noteRetryAfter } from './retry-after.ts'

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
