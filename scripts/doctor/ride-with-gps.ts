import { setTimeout as sleep } from 'node:timers/promises'
import { FUNCTION_SECRETS, whichAccount } from '../../embedded/settings.ts'
import type { Environment } from '../../supabase/functions/_shared/environment.ts'
import { createRwgps } from '../../supabase/functions/update-rides/rwgps/client.ts'
import { readBaseUrl, readCredentials } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import type { RwgpsFailure } from '../../supabase/functions/update-rides/rwgps/result.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

type Secrets = Record<string, string>

/** Which credentials are set, by name, and whether Ride with GPS takes them. */
export async function* checkRideWithGps(secrets: Secrets): AsyncIterable<Finding> {
  if (whichAccount(secrets) === 'sample') {
    yield ok('No credentials are set: npm start shows the sample. README.md says how to see your own rides.')
    return
  }
  const set = FUNCTION_SECRETS.filter((name) => secrets[name] !== undefined)
  yield ok(`Your own account: ${set.join(', ')} are set.`)
  yield await signIn((name) => secrets[name])
}

/** As update-rides does it; nothing else is asked for. */
async function signIn(environment: Environment): Promise<Finding> {
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
  // No more of the address than can be no secret.
  const { origin } = new URL(url)
  if (!session.ok) return VERDICTS[session.code](origin)
  const { length } = session.value.bikes
  return ok(`${origin} took them, and tells of ${length} ${length === 1 ? 'bike' : 'bikes'}.`)
}

const VERDICTS: Record<RwgpsFailure, (url: string) => Finding> = {
  rwgps_unauthorized: (url) =>
    problem(
      `${url} refused the credentials; compare the API key, and the e-mail and password (or the token and user id).`,
    ),
  rwgps_unreachable: (url) =>
    problem(`${url} cannot be reached; check the network, and RWGPS_BASE_URL if you set it.`),
  rwgps_timeout: (url) => problem(`${url} did not answer in time; check the network, and try again.`),
  rwgps_rate_limited: (url) => warning(`${url} asks for fewer requests; try again in some minutes.`),
  rwgps_bad_answer: (url) =>
    problem(
      `${url} answered something unexpected; unset RWGPS_BASE_URL if you set it, else try again later.`,
    ),
}
