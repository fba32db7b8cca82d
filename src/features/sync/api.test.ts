import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readSyncs } from './api.ts'

const nothing = { added: 0, changed: 0, removed: 0 }
const ok = { id: 1, outcome: 'ok', ...nothing }
const failed = (id: number, added = 0) => ({ id, outcome: 'failed', ...nothing, added })

function read(newest: object[], lastOk: object[] = []) {
  const { backend, sent } = fakeBackend(({ path }) =>
    Response.json(path.includes('outcome=eq.ok') ? lastOk : newest),
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

test('a failed sync that stored rides counts as a change', async () => {
  const { syncs } = read([failed(3), failed(2, 40), ok])
  expect(await syncs).toMatchObject({ lastOk: ok, lastChange: { id: 2 } })
})
