// @vitest-environment jsdom
import { createStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { isSessionPendingAtom } from './connection.ts'
import { AppError } from './errors.ts'
import type { Input } from './inputs.ts'
import { showSavedAtom } from './outbox.ts'
import { clearResourcesAtom, orElse, resourceAtom, stalenessAtom, touchHereAtom } from './resource.ts'
import { type Waiting, waitingAtom } from './waiting.ts'

const OFFLINE = new AppError('network', 'offline')

/** Creates a resource that reads the answers in turn. */
function setUp(answers: (string | AppError | Promise<string>)[] = ['one', 'two'], options = {}) {
  const read = vi.fn<() => Promise<string | undefined>>(async () => {
    const answer = await answers.shift()
    if (answer instanceof AppError) throw answer
    return answer
  })
  const resource = resourceAtom({ reads: [], ...options }, read)
  const store = createStore()
  store.sub(stalenessAtom, () => undefined)
  return {
    store,
    resource,
    read,
    show: () => store.sub(resource, () => undefined),
    value: () => store.get(resource),
    reload: () => store.set(resource.reloadAtom),
    settle: () => store.set(resource.settleAtom),
  }
}

/** Like `setUp`, but shown and read once. */
async function setUpRead(...given: Parameters<typeof setUp>) {
  const one = setUp(...given)
  const leave = one.show()
  await one.settle()
  return { ...one, leave }
}

test('is loading, then ready', async () => {
  const { show, value, settle } = setUp()
  show()
  expect(value()).toEqual({ state: 'loading' })
  await settle()
  expect(value()).toMatchObject({ state: 'ready', data: 'one', updating: false, failure: null })
})

test('keeps the old data, marked as updating, during another read', async () => {
  const { value, reload } = await setUpRead()
  const reloaded = reload()
  expect(value()).toMatchObject({ data: 'one', updating: true })
  await reloaded
  expect(value()).toMatchObject({ data: 'two', updating: false })
})

test('keeps the old data when another read fails, and reports the failure', async () => {
  const { value, reload } = await setUpRead(['one', OFFLINE])
  await reload()
  expect(value()).toMatchObject({ data: 'one', updating: false, failure: { code: 'network' } })
})

test('fails when the first read fails, and can be retried', async () => {
  const { value, reload } = await setUpRead([OFFLINE, 'one'])
  expect(value()).toMatchObject({ state: 'failed', error: { code: 'network' } })
  await reload()
  expect(value()).toMatchObject({ state: 'ready', data: 'one' })
})

test('what a screen can do without stands in for a failure until it is read', async () => {
  const { resource, store, reload } = await setUpRead([OFFLINE, 'one'])
  const instead = orElse(resource, 'none')
  expect(store.get(instead)).toMatchObject({ state: 'ready', data: 'none', updating: false })
  await reload()
  expect(store.get(instead)).toMatchObject({ state: 'ready', data: 'one' })
})

test('uses the later of two concurrent reads', async () => {
  const slow = Promise.withResolvers<string>()
  const { value, reload } = await setUpRead(['one', slow.promise, 'three'])
  const both = [reload(), reload()]
  slow.resolve('two')
  await Promise.all(both)
  expect(value()).toMatchObject({ data: 'three', updating: false })
})

const listed = (data: string, changes: readonly Waiting[]) => [data, ...changes.map(({ key }) => key)].join()

test('shows what waits, and what was saved since the read, whatever the clock says', async () => {
  const { value, store, reload } = await setUpRead(['one', 'two'], { applyWaiting: listed })
  const change = { command: 'snooze', input: { task_id: 1 }, id: -1, key: 'waits' } as Waiting
  store.set(waitingAtom, [change])
  expect(value()).toMatchObject({ data: 'one,waits' })
  store.set(showSavedAtom, { ...change, key: 'saved' }, [])
  store.set(waitingAtom, [])
  expect(value()).toMatchObject({ data: 'one,saved' })
  vi.spyOn(Date, 'now').mockReturnValue(0)
  await reload()
  expect(value()).toMatchObject({ data: 'two' })
})

test('is cleared for the next owner', async () => {
  const { value, store, settle } = await setUpRead(['one', OFFLINE])
  store.set(clearResourcesAtom)
  expect(value()).toEqual({ state: 'loading' })
  await settle()
  expect(value()).toMatchObject({ state: 'failed' })
})

test('when mounted again, shows its data immediately and updates it in the background', async () => {
  const { value, read, show, leave, settle } = await setUpRead()
  leave()
  await Promise.resolve()
  expect(read).toHaveBeenCalledTimes(1)
  show()
  expect(value()).toMatchObject({ data: 'one', updating: true })
  await settle()
  expect(value()).toMatchObject({ data: 'two', updating: false })
  expect(read).toHaveBeenCalledTimes(2)
})

test('does not repeat a read in progress when unmounted and mounted again', async () => {
  const { read, show, settle } = setUp()
  show()()
  await Promise.resolve()
  show()
  await settle()
  expect(read).toHaveBeenCalledTimes(1)
})

test('offline, keeps its data, reports its age, and is read again when back online', async () => {
  const before = Date.now()
  const { value, store, read, reload, settle } = await setUpRead()
  expect(store.get(stalenessAtom)).toBeNull()

  // A pending session refresh counts as offline.
  store.set(isSessionPendingAtom, true)
  await reload()
  expect(value()).toMatchObject({ data: 'one', updating: false, failure: null })
  expect(read).toHaveBeenCalledTimes(1)
  const { since, fromCache } = store.get(stalenessAtom)!
  expect([since >= before, since <= Date.now(), fromCache]).toEqual([true, true, false])

  store.set(isSessionPendingAtom, false)
  await settle()
  expect(value()).toMatchObject({ data: 'two', updating: false })
  expect(store.get(stalenessAtom)).toBeNull()
})

test('offline, fails with a network error if it was never read', async () => {
  const { value, store, read, show, settle } = setUp()
  store.set(isSessionPendingAtom, true)
  show()
  await settle()
  expect(value()).toMatchObject({ state: 'failed', error: { code: 'network' } })
  expect(read).not.toHaveBeenCalled()
})

test('without refetchOnMount, is not read again when mounted again', async () => {
  const { value, read, show, leave } = await setUpRead(['one'], { refetchOnMount: false })
  const before = value()
  leave()
  await Promise.resolve()
  show()
  expect(value()).toBe(before)
  expect(read).toHaveBeenCalledTimes(1)
})

test('reads again when a part of its inputs is touched, and only then, once it is shown', async () => {
  const reads = ['rides', { of: 'log', bike: 7, columns: ['name', 'cost'] }, 'tasks']
  const { store, read, show, leave, settle } = await setUpRead([], { reads, refetchOnMount: false })
  const readsAfter = async (...touched: Input[]) => {
    read.mockClear()
    store.set(touchHereAtom, touched)
    await settle()
    return read.mock.calls.length
  }
  expect(await readsAfter('rides')).toBe(1)
  expect(await readsAfter('log')).toBe(1)
  expect(await readsAfter({ of: 'log', bike: 7 })).toBe(1)
  expect(await readsAfter({ of: 'log', columns: ['description', 'name'] })).toBe(1)
  expect(await readsAfter({ of: 'log', bike: 7, columns: ['cost'] })).toBe(1)
  expect(await readsAfter({ of: 'tasks', bike: 8 })).toBe(1)
  expect(await readsAfter('log', 'rides', { of: 'log', bike: 7 }, { of: 'log', bike: 8 })).toBe(1)

  expect(await readsAfter({ of: 'log', bike: 8 })).toBe(0)
  expect(await readsAfter({ of: 'log', bike: 7, columns: ['description'] }, 'measurements')).toBe(0)
  leave()
  expect(await readsAfter('log')).toBe(0)
  show()
  expect(read).toHaveBeenCalledTimes(1)
})

const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000)

describe('ten minutes after its last use', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('is forgotten, but never while it is shown', async () => {
    const { value, read, show, leave, settle } = await setUpRead(['one', 'two'], { refetchOnMount: false })
    minutes(60)
    expect(value()).toMatchObject({ data: 'one' })

    leave()
    minutes(9)
    const leaveAgain = show()
    minutes(60)
    expect(value()).toMatchObject({ data: 'one' })
    expect(read).toHaveBeenCalledTimes(1)

    leaveAgain()
    minutes(10)
    expect(read).toHaveBeenCalledTimes(1)
    show()
    expect(value()).toEqual({ state: 'loading' })
    await settle()
    expect(value()).toMatchObject({ data: 'two' })
  })
})
