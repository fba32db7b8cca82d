// @vitest-environment jsdom
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { isSessionPendingAtom } from './connection.ts'
import { AppError } from './errors.ts'
import { clearResourcesAtom, markStaleAtom, stalenessAtom, resourceAtom } from './resource.ts'

const UNCACHED = { isCached: false }

function setUp(reads: (() => Promise<string>)[]) {
  const resource = resourceAtom(['test'], async () => (await reads.shift()?.()) ?? 'none left', UNCACHED)
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
  const reload = store.set(resource)
  expect(value()).toMatchObject({ data: 'one', updating: true })
  await reload
  expect(value()).toMatchObject({ data: 'two', updating: false })
})

test('keeps the old data when another read fails, and reports the failure', async () => {
  const { value, store, resource } = setUp([() => Promise.resolve('one'), failing])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  await store.set(resource)
  expect(value()).toMatchObject({ data: 'one', updating: false, failure: { code: 'network' } })
})

test('fails when the first read fails, and can be retried', async () => {
  const { value, store, resource } = setUp([failing, () => Promise.resolve('one')])
  await vi.waitFor(() => expect(value()).toMatchObject({ state: 'failed', error: { code: 'network' } }))
  await store.set(resource)
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
  const both = [store.set(resource), store.set(resource)]
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
  const resource = resourceAtom(['test'], read, UNCACHED)
  const store = createStore()
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
  const resource = resourceAtom(['test'], read, UNCACHED)
  const store = createStore()
  store.sub(resource, () => undefined)()
  await Promise.resolve()
  store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(read).toHaveBeenCalledTimes(1)
})

test('offline, keeps its data, reports its age, and is read again when back online', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
  const resource = resourceAtom(['test'], read, UNCACHED)
  const store = createStore()
  store.sub(resource, () => undefined)
  store.sub(stalenessAtom, () => undefined)
  const before = Date.now()
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(store.get(stalenessAtom)).toBeNull()

  // A pending session refresh counts as offline.
  store.set(isSessionPendingAtom, true)
  await store.set(resource)
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
  const resource = resourceAtom(['test'], read, UNCACHED)
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
  const resource = resourceAtom(['test'], read, { ...UNCACHED, refetchOnMount: false })
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

test('becomes stale by its own key and its prefixes, and is read when shown', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const resource = resourceAtom(['log', 7], read, { ...UNCACHED, refetchOnMount: false })
  const store = createStore()
  const unmount = store.sub(resource, () => undefined)
  await store.set(resource, 'settle')
  for (const keys of [[['log', 7]], [['log']], [['log'], ['log', 7], ['bikes']]] as const) {
    read.mockClear()
    store.set(markStaleAtom, keys)
    await store.set(resource, 'settle')
    expect(read).toHaveBeenCalledTimes(1)
  }

  read.mockClear()
  store.set(markStaleAtom, [['log', 8], ['bikes']])
  await store.set(resource, 'settle')
  unmount()
  store.set(markStaleAtom, [['log', 7]])
  await store.set(resource, 'settle')
  expect(read).not.toHaveBeenCalled()
  store.sub(resource, () => undefined)
  expect(read).toHaveBeenCalledTimes(1)
})
