import { refuse } from './auth-requests.ts'
import { type AuthOptions, guardAuth, keyOf } from './auth.ts'
import { bodyLength, hasNoBody, limitBody, MAX_BODY_BYTES } from './body-limit.ts'
import type { Database } from './database.ts'
import { refuseLargeQuery } from './query-limits.ts'
import type { Secrets } from './secrets.ts'
import {
  type AppOptions,
  answerOrFail,
  createApp,
  errorResponse,
  type Failure,
} from './supabase-lite/index.ts'

// Body limits for the owner and the functions. Inserting rows costs far more than their size suggests. The largest import (a 5
// MB file with 10,000 changed items) sends a database function 12 MB, or 16 MB if every other character is a line break.
const MAX_ROWS_BYTES = 2 ** 20
const MAX_RPC_BYTES = 16 * 2 ** 20

interface ApiOptions extends AppOptions, AuthOptions {
  /** Frees enough disk space for one Auth request when the disk is full. */
  freeDiskSpace?: () => Promise<void>
}

/** Serves Auth and the data API for a database. */
export function createApi(database: Database, secrets: Secrets, options?: ApiOptions) {
  const app = createApp(database, secrets, options)
  const guarded = guardAuth(app.answerAuth, database, secrets, options)

  async function answerData(request: Request): Promise<Response> {
    if (isAnonymous(request, secrets))
      return limitBody(request, MAX_BODY_BYTES, async () => errorResponse(SIGN_IN_FIRST), refuseLong)
    const refused = refuseLargeQuery(request)
    if (refused) return errorResponse(refused)
    const limit = await bodyLimit(request)
    return typeof limit === 'number' ? limitBody(request, limit, sendData, refuseLong) : limit
  }

  const sendData = (request: Request) => answerOrFail(() => app.answerData(request), errorResponse)

  /** Returns the caller's maximum body size in bytes, or an error response. */
  async function bodyLimit(request: Request): Promise<number | Response> {
    if (hasNoBody(request) || bodyLength(request) <= MAX_BODY_BYTES) return MAX_BODY_BYTES
    if (keyOf(request) !== secrets.secretKey) {
      const isOwner = await sendData(isOwnerRequest(request))
      if (!isOwner.ok) return isOwner
      if (!(await isOwner.json())) return MAX_BODY_BYTES
    }
    return isRpc(request) ? MAX_RPC_BYTES : MAX_ROWS_BYTES
  }

  const answerAuth = (request: Request, address: string) =>
    answerOrFail(
      async () => {
        if (!options?.signUps && !(await hasOwner(database))) return authFailure(NO_OWNER_YET)
        await options?.freeDiskSpace?.()
        return guarded({ request, address })
      },
      (failure) => authFailure({ ...failure, code: 'unexpected_failure' }),
    )

  return {
    async fetch(request: Request, { address = '' } = {}): Promise<Response> {
      if (isDataApi(request)) return answerData(request)
      const answer = (limited: Request) => answerAuth(limited, address)
      return limitBody(request, MAX_BODY_BYTES, answer, () => authFailure(TOO_LARGE))
    },
  }
}

const pathOf = ({ url }: Request) => new URL(url).pathname
const isDataApi = (request: Request) => pathOf(request).startsWith('/rest/v1')
const isRpc = (request: Request) => pathOf(request).startsWith('/rest/v1/rpc/')

/** Returns whether only the publishable key authorizes a data API request. Supabase Lite ignores API keys sent as a token. */
function isAnonymous(request: Request, { publishableKey }: Secrets): boolean {
  if (request.method === 'OPTIONS' || keyOf(request) !== publishableKey) return false
  const token = /^Bearer\s+(.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return token === undefined || token.startsWith('sb_')
}

/** Builds a request that asks the database whether the caller is the owner, as the edge functions do. */
function isOwnerRequest(request: Request): Request {
  const authorization = request.headers.get('authorization') ?? ''
  return new Request(new URL('/rest/v1/rpc/is_owner', request.url), {
    method: 'POST',
    headers: { apikey: keyOf(request), authorization, 'content-type': 'application/json' },
    body: '{}',
  })
}

const TOO_LARGE: Failure = { status: 413, code: 'too_large', message: 'The request body is too large.' }
// The migrations grant nothing to the role "anon".
const SIGN_IN_FIRST: Failure = { status: 401, code: '42501', message: 'permission denied: sign in first' }

const refuseLong = () => errorResponse(TOO_LARGE)

const authFailure = ({ status, code, message }: Failure) => refuse(status, code, message)

// Auth stays closed until the owner exists, because the first account owns everything, and Supabase Lite creates an account for
// anyone who requests a one-time password, even when sign-ups are closed.
async function hasOwner({ sql }: Database): Promise<boolean> {
  return (await sql`select from private.owner`).length > 0
}

const NO_OWNER_YET: Failure = {
  status: 503,
  code: 'unexpected_failure',
  message: "The owner's account is still being created. Try again in a moment.",
}
