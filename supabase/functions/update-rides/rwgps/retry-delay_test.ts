import assert from 'node:assert/strict'
import { retryDelay } from './retry-delay.ts'

const sources = (random: number) => ({ random: () => random, now: () => 0 })

Deno.test('delays double and are shortened at random by up to half', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, sources(0))),
    [300, 600, 1200],
  )
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, sources(1))),
    [150, 300, 600],
  )
})

Deno.test('gives up after the fourth attempt, whatever Retry-After says', () => {
  assert.equal(retryDelay(4, null, sources(0)), null)
  assert.equal(retryDelay(4, '1', sources(0)), null)
})

Deno.test('follows a Retry-After of up to 20 seconds', () => {
  assert.equal(retryDelay(1, '20', sources(0)), 20_000)
  assert.equal(retryDelay(1, '21', sources(0)), null)
  assert.equal(retryDelay(1, '0', sources(0)), 0)
})

Deno.test('a Retry-After in the past means no delay', () => {
  assert.equal(retryDelay(1, 'Wed, 31 Dec 1969 23:59:00 GMT', sources(0)), 0)
})

Deno.test('ignores an invalid Retry-After', () => {
  for (const header of ['', 'soon', '-5', '1.5', 'NaN', 'half past GMT'])
    assert.equal(retryDelay(1, header, sources(0)), 300)
})
