import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { backendAtom } from './backend.ts'
import { answeredAtom, isOfflineAtom, isReachedAtom, lookAtom, tryAgain } from './connection.ts'
import { fakeBackend } from './fake-backend.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A store over a backend whose health is as the statuses say, one after the other; 0 is no answer at all. */
function setUp(...statuses: number[]) {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const status = statuses.shift() ?? 200
    return status === 0
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(new Response(null, { status }))
  })
  const store = createStore()
  store.set(backendAtom, fakeBackend(() => new Response()).backend)
  return { store, looks: () => fetched.mock.calls.length }
}

test.each([200, 401, 404, 500])('whoever answers %d is reached', async (status) => {
  const { store } = setUp(status)
  await store.set(lookAtom)
  expect(store.get(isOfflineAtom)).toBe(false)
})

test.each([0, 502, 503, 504])(
  'after %d the tracker is offline, and looks again until somebody answers',
  async (status) => {
    const { store, looks } = setUp(status, status)
    const looking = store.set(lookAtom)
    await vi.advanceTimersByTimeAsync(0)
    expect([store.get(isOfflineAtom), looks()]).toEqual([true, 1])
    await vi.advanceTimersByTimeAsync(5000)
    expect([store.get(isOfflineAtom), looks()]).toEqual([true, 2])
    await vi.advanceTimersByTimeAsync(5000)
    await looking
    expect([store.get(isOfflineAtom), looks()]).toEqual([false, 3])
  },
)

test.each([
  ['the browser comes online', () => window.dispatchEvent(new Event('online'))],
  ['the window gets the focus', () => window.dispatchEvent(new Event('focus'))],
  ['the owner asks for it', tryAgain],
])('it looks right away when %s, and one look is enough for many', async (_when, wake) => {
  const { store, looks } = setUp(0)
  const looking = Promise.all([store.set(lookAtom), store.set(lookAtom)])
  await vi.advanceTimersByTimeAsync(0)
  wake()
  await looking
  expect([store.get(isReachedAtom), looks()]).toEqual([true, 2])
})

test('an answer to anything else ends it too', async () => {
  const { store, looks } = setUp(0)
  const looking = store.set(lookAtom)
  await vi.advanceTimersByTimeAsync(0)
  store.set(answeredAtom)
  expect(store.get(isOfflineAtom)).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  await looking
  expect(looks()).toBe(1)
})
