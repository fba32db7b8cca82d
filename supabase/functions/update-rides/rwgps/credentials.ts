import { type Environment, required } from '../../_shared/environment.ts'

/** How to sign in at Ride with GPS: as the owner, or with a token that the owner was given. */
export type Credentials = { apiKey: string } & (
  | { email: string; password: string }
  | { authToken: string; userId: string }
)

/** The account to read: by the token, unless only the sign-in is whole. Throws with the name of a variable that is missing. */
export function readCredentials(environment: Environment): Credentials {
  const apiKey = required(environment, 'RWGPS_API_KEY')
  const authToken = environment('RWGPS_AUTH_TOKEN')
  const hasSignIn = environment('RWGPS_EMAIL') && environment('RWGPS_PASSWORD')
  if (authToken && (environment('RWGPS_USER_ID') || !hasSignIn))
    return { apiKey, authToken, userId: required(environment, 'RWGPS_USER_ID') }
  return {
    apiKey,
    email: required(environment, 'RWGPS_EMAIL'),
    password: required(environment, 'RWGPS_PASSWORD'),
  }
}

/** Where Ride with GPS is; elsewhere for the sample account and in tests. Throws unless it is an address of the web. */
export function readBaseUrl(environment: Environment): string {
  const url = environment('RWGPS_BASE_URL') || 'https://ridewithgps.com'
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Error('The environment variable RWGPS_BASE_URL is not an http or https address.')
  }
  return url
}

/** What of the credentials must never be seen. */
export function secretsOf(credentials: Credentials): string[] {
  const proof =
    'authToken' in credentials ? [credentials.authToken] : [credentials.email, credentials.password]
  return [credentials.apiKey, ...proof]
}
