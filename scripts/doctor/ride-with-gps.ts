import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../embedded/installation.ts'
import { FUNCTION_SECRETS, whichAccount } from '../../embedded/settings.ts'
import { createRwgps } from '../../supabase/functions/update-rides/rwgps/client.ts'
import { readBaseUrl, readCredentials } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import type { RwgpsFailure } from '../../supabase/functions/update-rides/rwgps/result.ts'
import { type Finding, ok, problem, warning } from './check.ts'

/** Which credentials are set, and whether Ride with GPS accepts them. */
export async function* checkRideWithGps(secrets: Record<string, string>): AsyncIterable<Finding> {
  if (whichAccount(secrets) === 'sample') {
    yield ok(
      `No credentials are set, so ${commandLine('start')} shows sample data. README.md explains how to connect an account.`,
    )
    return
  }
  const names = FUNCTION_SECRETS.filter((name) => secrets[name] !== undefined)
  yield ok(`Your own account, from ${names.join(', ')}.`)
  yield await signIn(secrets)
}

/** Signs in as update-rides does, without fetching rides. */
async function signIn(secrets: Record<string, string>): Promise<Finding> {
  const environment = (name: string) => secrets[name]
  const url = readBaseUrl(environment)
  const rwgps = createRwgps(url, readCredentials(environment), {
    fetch,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    random: Math.random,
    now: Date.now,
    requestTimeout: 15_000,
    log: { info: () => undefined, error: () => undefined },
  })
  const session = await rwgps.signIn(AbortSignal.timeout(30_000))
  // The rest of the URL may contain a password.
  const { origin } = new URL(url)
  if (!session.ok) return FAILURES[session.code](origin)
  const { length } = session.value.bikes
  return ok(`${origin} accepted them and has ${length} ${length === 1 ? 'bike' : 'bikes'}.`)
}

const FAILURES: Record<RwgpsFailure, (url: string) => Finding> = {
  rwgps_unauthorized: (url) =>
    problem(
      `${url} rejected the credentials. Check the API key, and the email and password (or the token and user ID).`,
    ),
  rwgps_unreachable: (url) =>
    problem(`${url} cannot be reached. Check the network, and RWGPS_BASE_URL if you set it.`),
  rwgps_timeout: (url) => problem(`${url} did not respond in time. Check the network and try again.`),
  rwgps_rate_limited: (url) => warning(`${url} limits requests. Try again in a few minutes.`),
  rwgps_bad_answer: (url) =>
    problem(`${url} returned something unexpected. Remove RWGPS_BASE_URL if you set it, or try again later.`),
}
