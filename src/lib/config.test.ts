import { expect, test, vi } from 'vitest'

import { loadConfig } from './config.ts'

test('removes a trailing slash from the Ride with GPS URL', async () => {
  const config = { supabaseUrl: 'https://x.supabase.co', publishableKey: 'key', sample: false }
  const response = Response.json({ ...config, rwgpsUrl: 'https://ridewithgps.com/' })
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(response)
  expect(await loadConfig()).toEqual({ ...config, rwgpsUrl: 'https://ridewithgps.com' })
})
