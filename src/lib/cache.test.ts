// @vitest-environment jsdom
import * as idb from 'idb-keyval'
import { beforeEach, expect, test, vi } from 'vitest'

import { cacheFor, canCache } from './cache.ts'

vi.mock('idb-keyval')
vi.mock('./idle.ts', () => ({ whenIdle: (work: () => void) => work() }))

const config = {
  supabaseUrl: 'http://backend.test',
  publishableKey: 'key',
  rwgpsUrl: 'http://rwgps.test',
  sample: true,
}

beforeEach(() => {
  localStorage.setItem('sb-backend-auth-token', JSON.stringify({ user: { id: 'ann' } }))
  vi.mocked(idb.get).mockResolvedValue(undefined)
  vi.mocked(idb.set).mockResolvedValue(undefined)
})

const save = () => cacheFor<number[]>(config, 'rides').save({ data: [1], readAt: 0 })

test('knows whether the last data could be cached', async () => {
  save()
  expect(await canCache()).toBe(true)
  vi.mocked(idb.set).mockRejectedValueOnce(new DOMException('Full', 'QuotaExceededError'))
  save()
  await expect.poll(canCache).toBe(false)
  save()
  await expect.poll(canCache).toBe(true)
})

test('caches nothing where the browser blocks its storage', async () => {
  vi.mocked(idb.get).mockRejectedValueOnce(new DOMException('Blocked', 'SecurityError'))
  expect(await canCache()).toBe(false)
})
