import { App } from '@supabase/lite'
import type { PostgresConnection } from '@supabase/lite/postgres'
import type { Secrets } from './secrets.ts'

// The site URL of instances that don't listen on a port or send email.
const NOWHERE = 'http://127.0.0.1'

export interface AppOptions {
  /** Whether sign-ups are open. Only the tracker itself opens them. */
  signUps?: boolean
  /** The base URL of links in Auth's emails, which are printed instead of sent. */
  siteUrl?: string
}

/** Creates Auth and the data API for a database. */
export function createApp(
  { connection }: { connection: PostgresConnection },
  secrets: Secrets,
  { signUps = false, siteUrl = NOWHERE }: AppOptions = {},
): App {
  preserveGrants(connection)
  return new App({
    connection,
    api: {
      // The same limit as hosted projects, so code that works here also works there.
      max_rows: 1000,
      // Otherwise, requests with an invalid token would be anonymous.
      anonymous_enabled: false,
    },
    auth: {
      jwt_secret: secrets.jwtSecret,
      site_url: siteUrl,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: signUps,
      // Supabase Lite doesn't limit guesses of an email code, and six digits can be guessed before the code expires in an hour.
      email: { enable_signup: signUps, enable_confirmations: false, otp_length: 32 },
    },
    options: { server: { admin: false } },
  })
}

// On its first request, Supabase Lite grants everything in an RLS schema to every role, including `anon`. This flag makes it skip
// that step, because only the migrations should grant access.
function preserveGrants(connection: PostgresConnection): void {
  ;(connection as unknown as { rlsState: 'active' }).rlsState = 'active'
}
