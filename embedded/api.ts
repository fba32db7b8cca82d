import { App } from '@supabase/lite'
import { readText } from '../supabase/functions/_shared/body.ts'
import type { Database } from './database.ts'
import type { Secrets } from './secrets.ts'

// For instances that listen nowhere and send no mail.
const NOWHERE = 'http://127.0.0.1'

export interface ApiOptions {
  /** Closed by default; only the tracker itself opens them. */
  signUps?: boolean
  /** The address in the links of Auth's emails, which are printed instead of sent. */
  siteUrl?: string
}

/** Auth and the data API over the database. */
export function createApi(database: Database, secrets: Secrets, options?: ApiOptions) {
  const app = createApp(database, secrets, options)
  return {
    async fetch(request: Request): Promise<Response> {
      const text = await readText(request.body, MAX_BYTES)
      if (text === null) return tooLarge()
      const isOpen = options?.signUps || isData(request) || (await hasOwner(database))
      if (!isOpen) return noOwnerYet()
      // As bytes: text would bring a type of its own along where the sender gave none.
      const complete = request.body ? new Request(request, { body: new TextEncoder().encode(text) }) : request
      return diskFullAs507(await app.fetch(complete))
    },
  }
}

// The largest import takes less than half of it.
const MAX_BYTES = 32 * 2 ** 20

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
