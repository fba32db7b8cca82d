import { beforeEach, expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

let now: number
let throttle: ReturnType<typeof createThrottle>
beforeEach(() => {
  now = 1000
  throttle = createThrottle({ free: 5, longestWait: 60 }, () => now)
})

function fail(times: number, key = 'a') {
  for (let failure = 0; failure < times; failure++) throttle.fail(key)
}

test('the first failures cause no wait', () => {
  fail(4)
  expect(throttle.wait('a')).toBe(0)
})

test('each further failure doubles the wait, up to the longest', () => {
  fail(4)
  const waits = [1, 2, 4, 8, 16, 32, 60, 60].map((wait) => {
    fail(1)
    return [wait, throttle.wait('a')]
  })
  for (const [wait, actual] of waits) expect(actual).toBe(wait)
})

test('a wait ends after its seconds', () => {
  fail(7)
  expect(throttle.wait('a')).toBe(4)
  now += 3.5
  expect(throttle.wait('a')).toBe(1)
  now += 0.5
  expect(throttle.wait('a')).toBe(0)
})

test('a failure after the wait makes the next one longer', () => {
  fail(5)
  now += 1
  fail(1)
  expect(throttle.wait('a')).toBe(2)
})

test('counts keys separately', () => {
  fail(9, 'a')
  expect(throttle.wait('b')).toBe(0)
})

test('a success resets the failures', () => {
  fail(4)
  throttle.succeed('a')
  fail(4)
  expect(throttle.wait('a')).toBe(0)
})

test('15 minutes without a failure reset them', () => {
  fail(9)
  now += 15 * 60
  expect(throttle.wait('a')).toBe(0)
  fail(4)
  expect(throttle.wait('a')).toBe(0)
})

test('remembers only the last thousand keys that failed', () => {
  fail(5, 'first')
  fail(5, 'second')
  for (let key = 0; key < 998; key++) throttle.fail(`${key}`)
  throttle.fail('first')
  throttle.fail('one more')
  expect(throttle.wait('first')).toBe(2)
  expect(throttle.wait('second')).toBe(0)
})
