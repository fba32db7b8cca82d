// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { dayAtAtom } from './clock.ts'
import { runCommand } from './commands.ts'
import { isSessionPendingAtom } from './connection.ts'
import { fakeStore } from './fake-backend.ts'
import { showSavedAtom } from './outbox.ts'
import { rowsOf, waitingAtom } from './waiting.ts'

vi.mock('idb-keyval', () => ({
  createStore: () => (_mode: string, work: (rows: object) => unknown) =>
    work({ get: () => undefined, put: () => undefined }),
  promisifyRequest: (result: unknown) => Promise.resolve(result),
}))

beforeEach(() => localStorage.setItem('sb-backend-auth-token', JSON.stringify({ user: { id: 'ann' } })))

afterEach(() => vi.restoreAllMocks())

/** Marks a task done over a connection that loses every response, while the backend answers health checks with `status`. */
async function markDone(status: number) {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status }))
  const { store, sent } = fakeStore(() => Promise.reject(new TypeError('Failed to fetch')))
  const result = runCommand(store.get, store.set, 'mark_done', { task_id: 3 }, 'key', '“Chain”')
  return { result: await result.catch((cause: unknown) => cause), sent, waiting: store.get(waitingAtom) }
}

test('a write whose responses are lost waits if the tracker is down, and says that it may have been saved', async () => {
  const { result, sent, waiting } = await markDone(503)
  expect(result).toMatchObject({ isWaiting: true, change: 'key' })
  expect(sent).toHaveLength(2)
  expect(waiting).toMatchObject([{ command: 'mark_done', key: 'key', wasTried: true }])
})

test('a write that isn’t answered in time is sent once and waits if the tracker is down', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 503 }))
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal)
  const { store, sent } = fakeStore(
    (_sent, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        limit.abort(new DOMException('signal timed out', 'TimeoutError'))
      }),
  )
  const result = runCommand(store.get, store.set, 'mark_done', { task_id: 3 }, 'key', '“Chain”')
  expect(await result).toMatchObject({ isWaiting: true })
  expect(sent).toHaveLength(1)
  expect(store.get(waitingAtom)).toMatchObject([{ wasTried: true, wasUndated: true }])
})

test('a write whose responses are lost is reported if the tracker can be reached', async () => {
  const { result, waiting } = await markDone(200)
  expect(result).toMatchObject({ code: 'unclear' })
  expect(waiting).toEqual([])
})

const TASK = { task: { name: 'Wax', gear_id: 7 } }

test('a new task that waits counts from the rider’s day, and each row that waits has its own ID', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T12:00:00Z'))
  const { store } = fakeStore(() => new Response())
  store.set(isSessionPendingAtom, true)
  const add = (parts: number[], key: string) =>
    runCommand(store.get, store.set, 'add_task', { ...TASK, parts }, key, '“Wax”')
  const first = await add([1, 2, 3], 'first')
  const [waits] = store.get(waitingAtom)
  expect(waits).toMatchObject({ input: { count_from: store.get(dayAtAtom)(Date.now()) } })
  const ids = rowsOf(waits!).map(({ id }) => id)
  expect(first.answer.tasks.map(({ id }) => id)).toEqual(ids)
  // It is sent at once, in the same instant.
  store.set(showSavedAtom, waits!, [{ row: 1 }, { row: 2 }, { row: 3 }])
  store.set(waitingAtom, [])
  await add([4], 'second')
  const [later] = rowsOf(store.get(waitingAtom).at(-1)!)
  expect(new Set([...ids, later!.id]).size).toBe(4)
  const from = { ...TASK, count_from: 'installed' as const }
  await runCommand(store.get, store.set, 'add_task', from, 'third', '“Wax”')
  expect(store.get(waitingAtom).at(-1)).toMatchObject({ input: { count_from: 'installed' } })
})
