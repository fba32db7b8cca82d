// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import {
  markReachableAtom,
  isOfflineAtom,
  checkConnectionAtom,
  loadUntilThere,
  tryAgain,
} from './connection.ts'
import { fakeStore } from './fake-backend.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a store whose backend responds to health checks with `statuses` in turn. 0 means no response. */
function setUp(...statuses: number[]) {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const status = statuses.shift() ?? 200
    return status === 0
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(new Response(null, { status }))
  })
  const { store } = fakeStore(() => new Response())
  return { store, checks: () => fetched.mock.calls.length }
}

test.each([200, 401, 404, 500])('a status of %d means online', async (status) => {
  const { store } = setUp(status)
  await store.set(checkConnectionAtom)
  expect(store.get(isOfflineAtom)).toBe(false)
})

test.each([0, 502, 503, 504])(
  'after %d the tracker is offline and checks again until the backend answers',
  async (status) => {
    const { store, checks } = setUp(status, status)
    const checking = store.set(checkConnectionAtom)
    await vi.advanceTimersByTimeAsync(0)
    expect([store.get(isOfflineAtom), checks()]).toEqual([true, 1])
    await vi.advanceTimersByTimeAsync(5000)
    expect([store.get(isOfflineAtom), checks()]).toEqual([true, 2])
    await vi.advanceTimersByTimeAsync(5000)
    await checking
    expect([store.get(isOfflineAtom), checks()]).toEqual([false, 3])
  },
)

test.each([
  ['the browser comes online', () => window.dispatchEvent(new Event('online'))],
  ['the window gets the focus', () => window.dispatchEvent(new Event('focus'))],
  ['the owner tries again', tryAgain],
])('checks immediately when %s, and runs one check at a time', async (_when, wake) => {
  const { store, checks } = setUp(0)
  const checking = Promise.all([store.set(checkConnectionAtom), store.set(checkConnectionAtom)])
  await vi.advanceTimersByTimeAsync(0)
  wake()
  await checking
  expect([store.get(isOfflineAtom), checks()]).toEqual([false, 2])
})

test('any other response also ends the checks', async () => {
  const { store, checks } = setUp(0)
  const checking = store.set(checkConnectionAtom)
  await vi.advanceTimersByTimeAsync(0)
  store.set(markReachableAtom)
  expect(store.get(isOfflineAtom)).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  await checking
  expect(checks()).toBe(1)
})

test('code that can’t be loaded is loaded again when the owner tries again', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  load.mockResolvedValue('code')
  const onFailure = vi.fn<() => void>()
  const loading = loadUntilThere(load, onFailure)
  await vi.advanceTimersByTimeAsync(0)
  expect(onFailure).toHaveBeenCalledTimes(1)
  expect(load).toHaveBeenCalledTimes(1)
  tryAgain()
  expect(await loading).toBe('code')
  expect(onFailure).toHaveBeenCalledTimes(1)
})
