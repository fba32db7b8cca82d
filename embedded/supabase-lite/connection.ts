import { AsyncLocalStorage } from 'node:async_hooks'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import { connectionOptions, POSTGREST_TYPES } from '../postgres/connect.ts'
import { createSessions } from '../sessions.ts'
import { requireHooks } from './hooks.ts'
import { reserveLater, withSettings } from './request-session.ts'

// The number of API requests that run in parallel. Other requests wait for a session.
const API_SESSIONS = 4
// Hosted Supabase's statement timeout for signed-in users.
const API_TIMEOUT_MS = 8000

/** A database for Auth and the data API. Each request runs in its own session, transaction and role. */
export interface Connection {
  lite: PostgresConnection
  /** Answers an Auth request in one transaction. A server error rolls it back. */
  atomically(answer: () => Promise<Response>): Promise<Response>
  /** Runs a statement in a session for requests. Throws DatabaseUnavailable if none is free. */
  run(statement: string): Promise<unknown[]>
  close(): Promise<void>
}

export function openConnection(url: string): Connection {
  const { url: address, options } = connectionOptions(url, 1)
  const open = (onclose?: () => void) =>
    createPostgresConnection({
      url: address,
      postgresOptions: {
        ...options,
        ...(onclose && { onclose }),
        types: POSTGREST_TYPES,
        connection: { statement_timeout: API_TIMEOUT_MS, idle_in_transaction_session_timeout: 60_000 },
      },
    })
  const lite = open()
  requireHooks(lite)
  const sessions = createSessions((onclose) => open(onclose).driver, API_SESSIONS)
  lite.driver.reserve = async () => reserveLater(sessions)
  setContext(lite)
  return {
    lite,
    atomically: oneTransaction(lite),
    async run(statement) {
      const { run, release } = await sessions.take()
      return run(statement).finally(release)
    },
    async close() {
      await Promise.all([sessions.end(), lite.driver.end({ timeout: 2 })])
    },
  }
}

// Others, such as "postgres", could bypass row-level security.
const ROLES = new Set(['anon', 'authenticated', 'service_role'])

const cannotSetRole = (role: string) =>
  Object.assign(new Error(`permission denied to set role ${JSON.stringify(role)}`), { code: '42501' })

interface Caller {
  role?: string
  uid?: string
  jwt?: object
}

// Supabase Lite sets a request's role, claims and headers in up to twelve statements, most with two round trips each. Sending
// them with the request's own statement halves the CPU time of both the tracker and PostgreSQL. Its own function would also grant
// everything in an RLS schema to every role, including `anon`. Only the migrations should grant access.
function setContext(lite: PostgresConnection): void {
  const { kysely } = lite
  lite.withContext = (variables, work, { rpc, transaction, forceRollback } = {}) => {
    if (transaction || forceRollback) throw new Error('The tracker only uses the data API.')
    const { role = 'anon', uid, jwt } = (variables?.['auth'] ?? {}) as Caller
    if (!ROLES.has(role)) throw cannotSetRole(role)
    const settings = {
      role,
      'request.jwt.claim.sub': uid ?? '',
      'request.jwt.claim.role': role,
      ...(jwt && { 'request.jwt.claims': JSON.stringify(jwt) }),
      ...(rpc?.readOnly && { transaction_read_only: 'on' }),
    }
    return withSettings(settings, () => kysely.transaction().execute(work))
  }
}

// Supabase Lite commits each Auth statement separately. Without a transaction, an interrupted token refresh would leave the
// session without a valid token.
function oneTransaction(connection: PostgresConnection): Connection['atomically'] {
  const { kysely } = connection
  const current = new AsyncLocalStorage<typeof kysely>()
  const runInTransaction = connection.runInTransaction.bind(connection)
  Object.defineProperty(connection, 'kysely', { get: () => current.getStore() ?? kysely })
  connection.runInTransaction = (work) => {
    const transaction = current.getStore()
    return transaction ? work(transaction) : runInTransaction(work)
  }
  return async (work) => {
    try {
      return await kysely.transaction().execute((transaction) =>
        current.run(transaction, async () => {
          const response = await work()
          if (response.status >= 500) throw new ServerError(response)
          return response
        }),
      )
    } catch (error) {
      if (error instanceof ServerError) return error.response
      throw error
    }
  }
}

class ServerError extends Error {
  readonly response: Response
  constructor(response: Response) {
    super()
    this.response = response
  }
}
