import { afterEach, expect, test, vi } from 'vitest'

import { loadConfig } from './config.ts'

afterEach(() => vi.unstubAllGlobals())

test('the address of Ride with GPS may be written with a slash at its end', async () => {
  const config = { supabaseUrl: 'https://x.supabase.co', publishableKey: 'key', sample: false }
  const answer = Response.json({ ...config, rwgpsUrl: 'https://ridewithgps.com/' })
  vi.stubGlobal('fetch', () => Promise.resolve(answer))
  expect(await loadConfig()).toEqual({ ...config, rwgpsUrl: 'https://ridewithgps.com' })
})
