// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { runCommand } from './commands.ts'
import { fakeStore } from './fake-backend.ts'
import { waitingAtom } from './waiting.ts'

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
