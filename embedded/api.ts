import { App } from '@supabase/lite'
import { readText } from '../supabase/functions/_shared/body.ts'
import { guardAuth } from './auth.ts'
import type { Database } from './database.ts'
import { refuseLargeQuery } from './query-limits.ts'
import type { Secrets } from './secrets.ts'
import type { Clock } from './throttle.ts'

// For instances that listen nowhere and send no mail.
const NOWHERE = 'http://127.0.0.1'

/** The largest import takes less than half of it. */
const MAX_DATA_BYTES = 32 * 2 ** 20
const MAX_AUTH_BYTES = 64 * 2 ** 10

export interface ApiOptions {
  /** Closed by default; only the tracker itself opens them. */
  signUps?: boolean
  /** The address in the links of Auth's emails, which are printed instead of sent. */
  siteUrl?: string
  /** Makes room on a full disk for what a request to Auth writes. */
  makeRoom?: () => Promise<void>
  /** For tests. */
  now?: Clock
}

export interface Caller {
  /** The IP address that the request came from. */
  address?: string | undefined
}

/** Auth and the data API over the database. */
export function createApi(database: Database, secrets: Secrets, options?: ApiOptions) {
  const app = createApp(database, secrets, options)
  const send = async (request: Request) => diskFullAs507(await app.fetch(request))
  const auth = guardAuth(
    (request) => database.atomically(() => send(request)),
    database,
    secrets,
    options?.now,
  )
  return {
    async fetch(request: Request, { address = '' }: Caller = {}): Promise<Response> {
      const isForData = isData(request)
      const body = await readText(request.body, isForData ? MAX_DATA_BYTES : MAX_AUTH_BYTES)
      if (body === null) return tooLarge()
      // As bytes: text would bring a type of its own along where the sender gave none.
      const complete = request.body ? new Request(request, { body: new TextEncoder().encode(body) }) : request
      if (isForData) return refuseLargeQuery(request) ?? send(complete)
      if (!options?.signUps && !(await hasOwner(database))) return noOwnerYet()
      await options?.makeRoom?.()
      return auth({ request: complete, body, address })
    },
  }
}

function tooLarge(): Response {
  return Response.json({ code: 'too_large', message: 'The request body is too large.' }, { status: 413 })
}

/** Supabase Lite answers 500 when PostgreSQL refuses to write to a full disk. Nothing is broken: reading goes on. */
async function diskFullAs507(response: Response): Promise<Response> {
  if (response.status !== 500) return response
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  if (code !== DISK_FULL) return response
  return Response.json({ code, message: 'The disk is full. Nothing was saved.' }, { status: 507 })
}

// PostgreSQL's own code.
const DISK_FULL = '53100'

const isData = ({ url }: Request) => new URL(url).pathname.startsWith('/rest/v1')

/**
 * Auth is closed until there is an owner. With sign-ups closed, Supabase Lite still creates an account for anyone who asks
 * for a one-time password, and the first account owns everything. The database itself refuses every later account.
 */
async function hasOwner({ sql }: Database): Promise<boolean> {
  return (await sql`select from private.owner`).length > 0
}

function noOwnerYet(): Response {
  const msg = "The owner's account is still being created. Try again in a moment."
  return Response.json({ code: 503, error_code: 'unexpected_failure', msg }, { status: 503 })
}

/** Supabase Lite over the database. */
export function createApp(
  { connection }: Pick<Database, 'connection'>,
  secrets: Secrets,
  { signUps = false, siteUrl = NOWHERE }: ApiOptions = {},
): App {
  keepGrants(connection)
  return new App({
    connection,
    // The limit of hosted projects, so nothing works here that would fail there.
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
 * On its first request Supabase Lite grants everything in an RLS schema to every role, `anon` included. The migrations
 * decide who may do what, so this flag makes it skip that step.
 */
function keepGrants(connection: Database['connection']): void {
  ;(connection as unknown as { rlsState: 'active' }).rlsState = 'active'
}
