import { type Environment, required } from '../../_shared/http/environment.ts'

export type Credentials = { apiKey: string } & (
  | { email: string; password: string }
  | { authToken: string; userId: string }
)

/** Prefers the token unless only email and password are complete. Throws with the name of a missing variable. */
export function readCredentials(environment: Environment): Credentials {
  const apiKey = required(environment, 'RWGPS_API_KEY')
  const authToken = environment('RWGPS_AUTH_TOKEN')
  const hasPassword = environment('RWGPS_EMAIL') && environment('RWGPS_PASSWORD')
  if (authToken && (environment('RWGPS_USER_ID') || !hasPassword))
    return { apiKey, authToken, userId: required(environment, 'RWGPS_USER_ID') }
  return {
    apiKey,
    email: required(environment, 'RWGPS_EMAIL'),
    password: required(environment, 'RWGPS_PASSWORD'),
  }
}

/** Reads the address of Ride with GPS, which the sample and tests override. Throws unless it is an http or https URL. */
export function readBaseUrl(environment: Environment): string {
  const url = environment('RWGPS_BASE_URL') || 'https://ridewithgps.com'
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Error('The environment variable RWGPS_BASE_URL is not an http or https URL.')
  }
  return url
}

export function secretsOf(credentials: Credentials): string[] {
  const secrets =
    'authToken' in credentials ? [credentials.authToken] : [credentials.email, credentials.password]
  return [credentials.apiKey, ...secrets]
}
