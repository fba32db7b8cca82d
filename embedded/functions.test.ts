import { expect, test } from 'vitest'
import { startFunctions } from './functions.ts'

const ENVIRONMENT = {
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_key"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_key"}',
  SCHEDULE_KEY: 'key',
  RWGPS_BASE_URL: 'http://127.0.0.1:9',
  RWGPS_API_KEY: 'key',
  RWGPS_EMAIL: 'rider@example.com',
  RWGPS_PASSWORD: 'wheels',
}
const preflight = (url: string) => fetch(`${url}/functions/v1/update-rides`, { method: 'OPTIONS' })

test('idle functions stop, and start again for the next request', async () => {
  const functions = await startFunctions(ENVIRONMENT, 0)
  const first = await functions.use(async (url) => url)
  const isUp = () =>
    preflight(first).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp, { timeout: 30_000 }).toBe(false)
  expect((await functions.use(preflight)).status).toBe(204)
  await functions.stop()
})
