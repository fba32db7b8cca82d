import { expect, test, vi } from 'vitest'

import { loadConfig } from './config.ts'

const CONFIG = { supabaseUrl: 'http://127.0.0.1:5173', publishableKey: 'key', sample: false }

function respond(more: object) {
  const response = Response.json({ ...CONFIG, rwgpsUrl: 'https://ridewithgps.com/', ...more })
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(response)
}

test('removes trailing slashes from URLs', async () => {
  respond({ supabaseUrl: `${CONFIG.supabaseUrl}/` })
  expect(await loadConfig(CONFIG.supabaseUrl)).toEqual({ ...CONFIG, rwgpsUrl: 'https://ridewithgps.com' })
})

test('names both addresses if a proxy tells the tracker another one', async () => {
  respond({})
  await expect(loadConfig('https://tracker.example.com')).rejects.toThrow(
    'You opened the tracker at https://tracker.example.com, but its proxy tells it the address http://127.0.0.1:5173. Set PUBLIC_URL to https://tracker.example.com, and let the proxy pass on the Host header.',
  )
  respond({ isHosted: true })
  expect(await loadConfig('https://tracker.example.com')).toHaveProperty('isHosted', true)
})
