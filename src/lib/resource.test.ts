import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { sessionWaitsAtom } from './connection.ts'
import { AppError } from './errors.ts'
import { forgetResourcesAtom, outOfDateAtom, resourceAtom } from './resource.ts'

function setUp(answers: (() => Promise<string>)[]) {
  const resource = resourceAtom(async () => (await answers.shift()?.()) ?? 'none left')
  const store = createStore()
  store.sub(resource, () => undefined)
  return { resource, store, value: () => store.get(resource) }
}

const failing = () => Promise.reject(new AppError('network', 'offline'))

test('data is loading, then ready', async () => {
  const { value } = setUp([() => Promise.resolve('one')])
  expect(value()).toEqual({ state: 'loading' })
  await vi.waitFor(() =>
    expect(value()).toMatchObject({ state: 'ready', data: 'one', updating: false, failure: null }),
  )
})

test('while it is read again the old data stays, marked as updating', async () => {
  const { value, store, resource } = setUp([() => Promise.resolve('one'), () => Promise.resolve('two')])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  const again = store.set(resource)
  expect(value()).toMatchObject({ data: 'one', updating: true })
  await again
  expect(value()).toMatchObject({ data: 'two', updating: false })
})

test('when reading again fails the old data stays, with the failure', async () => {
  const { value, store, resource } = setUp([() => Promise.resolve('one'), failing])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  await store.set(resource)
  expect(value()).toMatchObject({ data: 'one', updating: false, failure: { code: 'network' } })
})

test('a first read that fails is failed, and can be tried again', async () => {
  const { value, store, resource } = setUp([failing, () => Promise.resolve('one')])
  await vi.waitFor(() => expect(value()).toMatchObject({ state: 'failed', error: { code: 'network' } }))
  await store.set(resource)
  expect(value()).toMatchObject({ state: 'ready', data: 'one' })
})

test('of two reads at once the later one counts, whichever answers first', async () => {
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

test('what was read is forgotten for the next owner', async () => {
  const { value, store } = setUp([() => Promise.resolve('one'), failing])
  await vi.waitFor(() => expect(value().state).toBe('ready'))
  store.set(forgetResourcesAtom)
  expect(value()).toEqual({ state: 'loading' })
  await vi.waitFor(() => expect(value()).toMatchObject({ state: 'failed' }))
})

test('what nobody looks at is not read; who comes back sees it at once, and it is read again behind', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
  const resource = resourceAtom(read)
  const store = createStore()
  const leave = store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  leave()
  await Promise.resolve()
  expect(read).toHaveBeenCalledTimes(1)

  store.sub(resource, () => undefined)
  expect(store.get(resource)).toMatchObject({ data: 'one', updating: true })
  await vi.waitFor(() => expect(store.get(resource)).toMatchObject({ data: 'two', updating: false }))
  expect(read).toHaveBeenCalledTimes(2)
})

test('a read that is on its way is not repeated for who leaves and comes back', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const resource = resourceAtom(read)
  const store = createStore()
  store.sub(resource, () => undefined)()
  await Promise.resolve()
  store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(read).toHaveBeenCalledTimes(1)
})

test('offline nothing is read: what is there stays, is told to be from then, and is read anew afterwards', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two')
  const resource = resourceAtom(read)
  const store = createStore()
  store.sub(resource, () => undefined)
  store.sub(outOfDateAtom, () => undefined)
  const before = Date.now()
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  expect(store.get(outOfDateAtom)).toBeNull()

  // The session that waits is one of the reasons to be offline.
  store.set(sessionWaitsAtom, true)
  await store.set(resource)
  expect(store.get(resource)).toMatchObject({ data: 'one', updating: false, failure: null })
  expect(read).toHaveBeenCalledTimes(1)
  const { since, isKept } = store.get(outOfDateAtom)!
  expect([since >= before, since <= Date.now(), isKept]).toEqual([true, true, false])

  store.set(sessionWaitsAtom, false)
  await vi.waitFor(() => expect(store.get(resource)).toMatchObject({ data: 'two', updating: false }))
  expect(store.get(outOfDateAtom)).toBeNull()
})

test('offline, what was never read has failed for want of a network', async () => {
  const read = vi.fn<() => Promise<string>>()
  const resource = resourceAtom(read)
  const store = createStore()
  store.set(sessionWaitsAtom, true)
  store.sub(resource, () => undefined)
  await vi.waitFor(() =>
    expect(store.get(resource)).toMatchObject({ state: 'failed', error: { code: 'network' } }),
  )
  expect(read).not.toHaveBeenCalled()
})

test('what is lasting is not read again for who comes back, and stays as old as it is', async () => {
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('one')
  const resource = resourceAtom(read, { isLasting: true })
  const store = createStore()
  const leave = store.sub(resource, () => undefined)
  await vi.waitFor(() => expect(store.get(resource).state).toBe('ready'))
  const before = store.get(resource)
  leave()
  await Promise.resolve()
  store.sub(resource, () => undefined)
  expect(store.get(resource)).toBe(before)
  expect(read).toHaveBeenCalledTimes(1)
})
