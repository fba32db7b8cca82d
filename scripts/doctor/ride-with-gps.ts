import { commandLine } from '../../embedded/installation.ts'
import { FUNCTION_SECRETS, whichAccount } from '../../embedded/settings.ts'
import { createRwgps } from '../../supabase/functions/update-rides/rwgps/client.ts'
import { readBaseUrl, readCredentials } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import { describeFailure, TRANSPORT } from '../connect/sign-in.ts'
import { type CheckResult, ok, problem, warning } from './check.ts'

export async function* checkRideWithGps(secrets: Record<string, string>): AsyncIterable<CheckResult> {
  if (whichAccount(secrets) === 'sample') {
    yield ok(
      `No credentials are set, so ${commandLine('start')} shows sample data. ${commandLine('connect')} connects your account.`,
    )
    return
  }
  const names = FUNCTION_SECRETS.filter((name) => name.startsWith('RWGPS_') && secrets[name] !== undefined)
  yield ok(`Your own account, from ${names.join(', ')}.`)
  yield await signIn(secrets)
}

/** Signs in as update-rides does, without fetching rides. */
async function signIn(secrets: Record<string, string>): Promise<CheckResult> {
  const environment = (name: string) => secrets[name]
  const url = readBaseUrl(environment)
  const rwgps = createRwgps(url, readCredentials(environment), TRANSPORT)
  const session = await rwgps.signIn(AbortSignal.timeout(30_000))
  // Print only the origin, because the rest of the URL may contain a password.
  const { origin } = new URL(url)
  if (!session.ok) {
    const text = describeFailure(session.code, origin)
    return session.code === 'rwgps_rate_limited' ? warning(text) : problem(text)
  }
  const { length } = session.value.bikes
  return ok(`${origin} accepted the credentials and has ${length} ${length === 1 ? 'bike' : 'bikes'}.`)
}
