// @vitest-environment jsdom
import { createStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { isSessionPendingAtom } from './connection.ts'
import { AppError } from './errors.ts'
import type { Input } from './inputs.ts'
import { clearResourcesAtom, resourceAtom, stalenessAtom, touchHereAtom } from './resource.ts'

const NOTHING = { reads: [] }

function setUp(reads: (() => Promise<string>)[]) {
  const resource = resourceAtom(NOTHING, async () => (await reads.shift()?.()) ?? 'none left')
  const store = createStore()
  store.sub(resource, () => undefined)
  return { resource, store, value: () => store.get(resource) }
}

const failing = () => Promise.reject(new AppError('network', 'offline'))

test('is loading, then ready', async () => {
  const { value } = setUp([() => Promise.resolve('one')])
  expect(value()).toEqual({ state: 'loading' })
  await vi.waitFor(() =>
    expect(value()).toMatchObject({ state: 'ready', data: 'one', updating: false, failure: null }),
  )
})

test('keeps the old data, marked as updating, during another read', async () => {
  const { value, store, resource } = setUp([() => Promise.resolve('one'), () => Promise.resolve('two')])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  const reload = store.set(resource.reloadAtom)
  expect(value()).toMatchObject({ data: 'one', updating: true })
  await reload
  expect(value()).toMatchObject({ data: 'two', updating: false })
})

test('keeps the old data when another read fails, and reports the failure', async () => {
  const { value, store, resource } = setUp([() => Promise.resolve('one'), failing])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  await store.set(resource.reloadAtom)
  expect(value()).toMatchObject({ data: 'one', updating: false, failure: { code: 'network' } })
})

test('fails when the first read fails, and can be retried', async () => {
  const { value, store, resource } = setUp([failing, () => Promise.resolve('one')])
  await vi.waitFor(() => expect(value()).toMatchObject({ state: 'failed', error: { code: 'network' } }))
  await store.set(resource.reloadAtom)
  expect(value()).toMatchObject({ state: 'ready', data: 'one' })
})

test('uses the later of two concurrent reads', async () => {
  const slow = Promise.withResolvers<string>()
  const { value, store, resource } = setUp([
    () => Promise.resolve('one'),
    () => slow.promise,
    () => Promise.resolve('three'),
  ])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  const both = [store.set(resource.reloadAtom), store.set(resource.reloadAtom)]
  slow.resolve('two')
  await Promise.all(both)
  expect(value()).toMatchObject({ data: 'three', updating: false })
})

test('is cleared for the next owner', async () => {
  const { value, store } = setUp([() => Promise.resolve('one'), failing])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  store.set(clearResourcesAtom)
  expect(value()).toEqual({ state: 'loading' })
  await vi.waitFor(() => expect(value()).toMatchObject({ state: 'failed' }))
})

test('when mounted again, shows its data immediately and updates it in the background', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
  const resource = resourceAtom(NOTHING, read)
  const store = createStore()
  store.sub(stalenessAtom, () => undefined)
  const unmount = store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  unmount()
  await Promise.resolve()
  expect(read).toHaveBeenCalledTimes(1)

  store.sub(resource, () => undefined)
  expect(store.get(resource)).toMatchObject({ data: 'one', updating: true })
  await vi.waitFor(() => expect(store.get(resource)).toMatchObject({ data: 'two', updating: false }))
  expect(read).toHaveBeenCalledTimes(2)
})

test('does not repeat a read in progress when unmounted and mounted again', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const resource = resourceAtom(NOTHING, read)
  const store = createStore()
  store.sub(resource, () => undefined)()
  await Promise.resolve()
  store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(read).toHaveBeenCalledTimes(1)
})

test('offline, keeps its data, reports its age, and is read again when back online', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
  const resource = resourceAtom(NOTHING, read)
  const store = createStore()
  store.sub(resource, () => undefined)
  store.sub(stalenessAtom, () => undefined)
  const before = Date.now()
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(store.get(stalenessAtom)).toBeNull()

  // A pending session refresh counts as offline.
  store.set(isSessionPendingAtom, true)
  await store.set(resource.reloadAtom)
  expect(store.get(resource)).toMatchObject({ data: 'one', updating: false, failure: null })
  expect(read).toHaveBeenCalledTimes(1)
  const { since, fromCache } = store.get(stalenessAtom)!
  expect([since >= before, since <= Date.now(), fromCache]).toEqual([true, true, false])

  store.set(isSessionPendingAtom, false)
  await vi.waitFor(() => expect(store.get(resource)).toMatchObject({ data: 'two', updating: false }))
  expect(store.get(stalenessAtom)).toBeNull()
})

test('offline, fails with a network error if it was never read', async () => {
  const read = vi.fn<() => Promise<string>>()
  const resource = resourceAtom(NOTHING, read)
  const store = createStore()
  store.set(isSessionPendingAtom, true)
  store.sub(resource, () => undefined)
  await vi.waitFor(() =>
    expect(store.get(resource)).toMatchObject({ state: 'failed', error: { code: 'network' } }),
  )
  expect(read).not.toHaveBeenCalled()
})

test('without refetchOnMount, is not read again when mounted again', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const resource = resourceAtom({ reads: [], refetchOnMount: false }, read)
  const store = createStore()
  const unmount = store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  const before = store.get(resource)
  unmount()
  await Promise.resolve()
  store.sub(resource, () => undefined)
  expect(store.get(resource)).toBe(before)
  expect(read).toHaveBeenCalledTimes(1)
})

test('reads again when a part of its inputs is touched, and only then, once it is shown', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const reads = ['rides', { of: 'log', bike: 7, columns: ['name', 'cost'] }, 'tasks'] as const
  const resource = resourceAtom({ reads, refetchOnMount: false }, read)
  const store = createStore()
  const unmount = store.sub(resource, () => undefined)
  const readsAfter = async (...touched: Input[]) => {
    read.mockClear()
    store.set(touchHereAtom, touched)
    await store.set(resource.settleAtom)
    return read.mock.calls.length
  }
  await store.set(resource.settleAtom)
  expect(await readsAfter('rides')).toBe(1)
  expect(await readsAfter('log')).toBe(1)
  expect(await readsAfter({ of: 'log', bike: 7 })).toBe(1)
  expect(await readsAfter({ of: 'log', columns: ['description', 'name'] })).toBe(1)
  expect(await readsAfter({ of: 'log', bike: 7, columns: ['cost'] })).toBe(1)
  expect(await readsAfter({ of: 'tasks', bike: 8 })).toBe(1)
  expect(await readsAfter('log', 'rides', { of: 'log', bike: 7 }, { of: 'log', bike: 8 })).toBe(1)

  expect(await readsAfter({ of: 'log', bike: 8 })).toBe(0)
  expect(await readsAfter({ of: 'log', bike: 7, columns: ['description'] }, 'measurements')).toBe(0)
  unmount()
  expect(await readsAfter('log')).toBe(0)
  store.sub(resource, () => undefined)
  expect(read).toHaveBeenCalledTimes(1)
})

const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000)

describe('ten minutes after its last use', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('is forgotten, but never while it is shown', async () => {
    const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
    const resource = resourceAtom({ reads: [], refetchOnMount: false }, read)
    const store = createStore()
    store.sub(stalenessAtom, () => undefined)
    const show = () => store.sub(resource, () => undefined)
    const leave = show()
    await store.set(resource.settleAtom)
    minutes(60)
    expect(store.get(resource)).toMatchObject({ data: 'one' })

    leave()
    minutes(9)
    const leaveAgain = show()
    minutes(60)
    expect(store.get(resource)).toMatchObject({ data: 'one' })
    expect(read).toHaveBeenCalledTimes(1)

    leaveAgain()
    minutes(10)
    expect(read).toHaveBeenCalledTimes(1)
    show()
    expect(store.get(resource)).toEqual({ state: 'loading' })
    await store.set(resource.settleAtom)
    expect(store.get(resource)).toMatchObject({ data: 'two' })
  })
})
