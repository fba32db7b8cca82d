import assert from 'node:assert/strict'
import { retryDelay } from './retry-delay.ts'

const chance = (random: number) => ({ random: () => random, now: () => 0 })

Deno.test('pauses double and are shortened at random by up to half', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, chance(0))),
    [300, 600, 1200],
  )
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, chance(1))),
    [150, 300, 600],
  )
})

Deno.test('after the fourth attempt there is no other, whatever the server asks for', () => {
  assert.equal(retryDelay(4, null, chance(0)), null)
  assert.equal(retryDelay(4, '1', chance(0)), null)
})

Deno.test('up to 20 seconds are waited when asked for, and not a second more', () => {
  assert.equal(retryDelay(1, '20', chance(0)), 20_000)
  assert.equal(retryDelay(1, '21', chance(0)), null)
  assert.equal(retryDelay(1, '0', chance(0)), 0)
})

Deno.test('a date that has passed asks for no pause', () => {
  assert.equal(retryDelay(1, 'Wed, 31 Dec 1969 23:59:00 GMT', chance(0)), 0)
})

Deno.test('a Retry-After that means nothing is as good as none', () => {
  for (const header of ['', 'soon', '-5', '1.5', 'NaN', 'half past GMT'])
    assert.equal(retryDelay(1, header, chance(0)), 300)
})
