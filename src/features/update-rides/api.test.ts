import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readSyncs } from './api.ts'

test.each([
  [1, 'runs'],
  [6, 'has died'],
] as const)('a run that has been open for %d minutes %s', async (minutes, state) => {
  const started_at = new Date(Date.now() - minutes * 60_000).toISOString()
  const run = { id: 2, outcome: 'running', started_at }
  const lastOk = { id: 1, outcome: 'ok' }
  const { backend } = fakeBackend(() => Response.json([run, lastOk]))
  const syncs = await readSyncs(backend.client, new AbortController().signal)
  expect(syncs).toEqual({ running: state === 'runs' ? run : null, lastOk })
})
