import { prepareTracker, startPrepared } from '../postgres.ts'
import type { Running } from '../running.ts'
import { type RideWithGps, SIGN_IN, startRideWithGps } from '../sync/ride-with-gps.ts'

/** The owner of a tracker with a real account. */
export const OWNER = { email: 'owner@example.com', password: 'correct horse' }

interface Account extends AsyncDisposable {
  stack: Running
  rwgps: RideWithGps
}

/** Starts a tracker with a real account at a fake Ride with GPS. Nothing is synced yet. */
export async function startAccount(): Promise<Account> {
  const rwgps = await startRideWithGps()
  const stack = await startPrepared(await prepareTracker(), {
    OWNER_EMAIL: OWNER.email,
    OWNER_PASSWORD: OWNER.password,
    RWGPS_BASE_URL: rwgps.url,
    ...SIGN_IN,
  })
  return {
    stack,
    rwgps,
    async [Symbol.asyncDispose]() {
      await stack.stop()
      await rwgps.close()
    },
  }
}
