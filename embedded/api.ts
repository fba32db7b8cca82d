import { App } from '@supabase/lite'
import { readText } from '../supabase/functions/_shared/body.ts'
import { guardAuth } from './auth.ts'
import type { Database } from './database.ts'
import { refuseLargeQuery } from './query-limits.ts'
import type { Secrets } from './secrets.ts'
import type { Clock } from './throttle.ts'

// For instances that don't listen on a port or send email.
const NOWHERE = 'http://127.0.0.1'

// The largest import needs less than half of this.
const MAX_DATA_BYTES = 32 * 2 ** 20
const MAX_AUTH_BYTES = 64 * 2 ** 10

export interface ApiOptions {
  /** Closed by default; only the tracker itself opens them. */
  signUps?: boolean
  /** The base URL of the links in Auth's emails, which are printed instead of sent. */
  siteUrl?: string
  /** Frees enough disk space for one Auth request when the disk is full. */
  freeDiskSpace?: () => Promise<void>
  /** Rejects shorter new passwords. */
  minPasswordLength?: number
  /** Called after the owner has changed the password. */
  onNewPassword?: (password: string) => Promise<void>
  /** For tests. */
  now?: Clock
}

export interface Caller {
  /** The IP address that the request came from. */
  address?: string | undefined
}

/** Serves Auth and the data API for a database. */
export function createApi(database: Database, secrets: Secrets, options?: ApiOptions) {
  const app = createApp(database, secrets, options)
  const send = async (request: Request) => diskFullAs507(await app.fetch(request))
  const auth = guardAuth((request) => database.atomically(() => send(request)), database, secrets, options)
  return {
    async fetch(request: Request, { address = '' }: Caller = {}): Promise<Response> {
      const isDataRequest = isDataApi(request)
      const body = await readText(request.body, isDataRequest ? MAX_DATA_BYTES : MAX_AUTH_BYTES)
      if (body === null) return tooLarge()
      // A string body would add a content type that the caller didn't send.
      const complete = request.body ? new Request(request, { body: new TextEncoder().encode(body) }) : request
      if (isDataRequest) return refuseLargeQuery(request) ?? send(complete)
      if (!options?.signUps && !(await hasOwner(database))) return noOwnerYet()
      await options?.freeDiskSpace?.()
      return auth({ request: complete, body, address })
    },
  }
}

function tooLarge(): Response {
  return Response.json({ code: 'too_large', message: 'The request body is too large.' }, { status: 413 })
}

/** Returns 507 where Supabase Lite returns 500 because the disk is full. Reading still works. */
async function diskFullAs507(response: Response): Promise<Response> {
  if (response.status !== 500) return response
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  if (code !== DISK_FULL) return response
  return Response.json({ code, message: 'The disk is full. Nothing was saved.' }, { status: 507 })
}

// PostgreSQL's error code.
const DISK_FULL = '53100'

const isDataApi = ({ url }: Request) => new URL(url).pathname.startsWith('/rest/v1')

/**
 * Auth is closed until the owner exists. Even with sign-ups closed, Supabase Lite creates an account for anyone who requests
 * a one-time password, and the first account owns everything. The database rejects every later account.
 */
async function hasOwner({ sql }: Database): Promise<boolean> {
  return (await sql`select from private.owner`).length > 0
}

function noOwnerYet(): Response {
  const msg = "The owner's account is still being created. Try again in a moment."
  return Response.json({ code: 503, error_code: 'unexpected_failure', msg }, { status: 503 })
}

export function createApp(
  { connection }: Pick<Database, 'connection'>,
  secrets: Secrets,
  { signUps = false, siteUrl = NOWHERE }: ApiOptions = {},
): App {
  preserveGrants(connection)
  return new App({
    connection,
    // The same limit as hosted projects, so code that works here also works there.
    api: { max_rows: 1000 },
    auth: {
      jwt_secret: secrets.jwtSecret,
      site_url: siteUrl,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: signUps,
      // Supabase Lite doesn't count attempts at an email code, and six digits can be guessed within its hour.
      email: { enable_signup: signUps, enable_confirmations: false, otp_length: 32 },
    },
    options: { server: { admin: false } },
  })
}

/**
 * On its first request Supabase Lite grants everything in an RLS schema to every role, including `anon`. Only the
 * migrations should grant access, so this flag makes it skip that step.
 */
function preserveGrants(connection: Database['connection']): void {
  ;(connection as unknown as { rlsState: 'active' }).rlsState = 'active'
}
