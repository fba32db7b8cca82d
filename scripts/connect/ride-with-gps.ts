import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../embedded/installation.ts'
import type { Transport } from '../../supabase/functions/update-rides/rwgps/get.ts'
import type { RwgpsFailure } from '../../supabase/functions/update-rides/rwgps/result.ts'

/** The transport that syncs use, without logging. */
export const TRANSPORT: Transport = {
  fetch,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
  now: Date.now,
  requestTimeout: 15_000,
  log: { info: () => undefined, error: () => undefined },
}

export function describeFailure(code: RwgpsFailure, url: string): string {
  return {
    rwgps_unauthorized: `${url} refused the sign-in. Run ${commandLine('connect')}.`,
    rwgps_unreachable: `${url} cannot be reached. Check the network, and RWGPS_BASE_URL if you set it.`,
    rwgps_timeout: `${url} did not respond in time. Check the network and try again.`,
    rwgps_rate_limited: `${url} limits requests. Try again in a few minutes.`,
    rwgps_bad_answer: `${url} returned something unexpected. Remove RWGPS_BASE_URL if you set it, or try again later.`,
  }[code]
}
