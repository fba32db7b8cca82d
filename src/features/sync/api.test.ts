import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readSyncs, type SyncResult, type Syncs, withResult } from './api.ts'

const nothing = { added: 0, changed: 0, removed: 0 }
const ok = { id: 1, outcome: 'ok', ...nothing }
const failed = (id: number, added = 0) => ({ id, outcome: 'failed', ...nothing, added })

function read(newest: object[], lastOk: object[] = [], lastRefused: object[] = []) {
  const { backend, sent } = fakeBackend(({ path }) =>
    Response.json(path.includes('outcome=in.') ? lastOk : path.includes('code=in.') ? lastRefused : newest),
  )
  return { sent, syncs: readSyncs(backend.client, new AbortController().signal) }
}

test.each([
  [1, 'is running'],
  [6, 'has crashed'],
] as const)('a sync that started %d minutes ago and has not ended %s', async (minutes, state) => {
  const started_at = new Date(Date.now() - minutes * 60_000).toISOString()
  const sync = { id: 2, outcome: 'running', started_at, ...nothing }
  const { syncs } = read([sync, ok])
  expect(await syncs).toMatchObject({
    running: state === 'is running' ? sync : null,
    lastOk: ok,
    lastEnded: ok,
  })
})

test('finds the last success before any number of failures', async () => {
  const failures = [6, 5, 4, 3, 2].map((id) => failed(id))
  const { syncs } = read(failures, [ok])
  expect(await syncs).toMatchObject({ lastOk: ok, lastEnded: { id: 6 }, lastChange: ok })
})

test('sends one request if the newest syncs include a success', async () => {
  const { syncs, sent } = read([failed(3), failed(2), ok])
  await syncs
  expect(sent).toHaveLength(1)
})

const refused = (id: number) => ({
  ...failed(id),
  code: 'rwgps_unauthorized',
  finished_at: '2026-11-20T10:00:00.5+00:00',
})
const unreachable = (id: number) => ({ ...failed(id), code: 'rwgps_unreachable' })

test.each([
  ['stays while later syncs fail otherwise', [unreachable(4), refused(3), ok], true],
  [
    'stays although an older quick check succeeded',
    [refused(2), { ...ok, checked_at: '2026-11-20T09:50:00+00:00' }],
    true,
  ],
  ['is over after a sync', [{ ...ok, id: 3 }, refused(2)], false],
  ['is over after a quick check', [refused(2), { ...ok, checked_at: '2026-11-20T10:10:00+00:00' }], false],
] as const)('a refused sign-in %s', async (_what, newest, isShown) => {
  const { problem } = await read([...newest]).syncs
  expect(problem?.code).toBe(isShown ? 'rwgps_unauthorized' : undefined)
})

test('reports a refused sign-in even if later syncs failed for other reasons', async () => {
  const { syncs } = read([7, 6, 5, 4, 3].map(unreachable), [ok], [refused(2)])
  expect(await syncs).toMatchObject({ lastOk: ok, problem: { id: 2 } })
})

test('a failed sync that stored rides counts as a change', async () => {
  const { syncs } = read([failed(3), failed(2, 40), ok])
  expect(await syncs).toMatchObject({ lastOk: ok, lastChange: { id: 2 } })
})

const result = (id: number) => ({ id, finished_at: '2026-11-20T10:00:00Z', ...nothing }) as SyncResult
const syncs = (id: number): Syncs => ({
  running: null,
  lastEnded: { id, code: null },
  lastOk: result(id),
  problem: null,
  lastChange: result(id),
})

const running = (id: number) => ({ id, fetched: 2, list_count: null })

test('the result of a sync replaces what was read before it ended, but not later syncs', () => {
  const none = { running: null, lastEnded: null, lastOk: null, problem: null, lastChange: null }
  expect(withResult(none, result(5))).toEqual(syncs(5))
  expect(withResult({ ...syncs(4), running: running(5) }, result(5))).toEqual(syncs(5))
  // The owner has since removed missing rides.
  const corrected = { ...syncs(5), lastOk: { ...result(5), removed: 2 } }
  expect(withResult(corrected, result(5))).toEqual(corrected)
  const later = { ...syncs(5), running: running(6) }
  expect(withResult(later, result(5))).toEqual(later)
  const failed = { ...syncs(5), lastEnded: { id: 6, code: 'rwgps_timeout' } }
  expect(withResult(failed, result(5))).toEqual(failed)
  const problem = { id: 6, code: 'rwgps_unauthorized' } as const
  expect(withResult({ ...syncs(5), problem }, result(5)).problem).toEqual(problem)
  expect(withResult({ ...syncs(5), problem }, result(7)).problem).toBeNull()
})
