import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import type { ReservedSql } from 'postgres'
import { isPackage } from '../installation.ts'
import { connectionOptions } from '../postgres/connect.ts'
import { createSessions } from '../sessions.ts'
import { StartError } from '../settings.ts'
import { currentPlan, errorResponse, Refusal } from './requests/index.ts'
import { TYPES } from './types.ts'
import { reserveLater, withinTransaction, withSettings } from './request-session.ts'

// The version whose undocumented parts this folder replaces: how it gets a session, and how it sets a request's role.
const VERSION = '0.10.0'

// The number of API requests that run in parallel. Other requests wait for a session.
const API_SESSIONS = 4
// Requests must not depend on the database's or the role's own settings. Set after connecting, because PgBouncer refuses these
// parameters at the start.
const SET_UP = `
set search_path = public;
set bytea_output = hex;
set intervalstyle = postgres;
set default_transaction_isolation = 'read committed';
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
-- Hosted Supabase's statement timeout for signed-in users.
set statement_timeout = '8s'`

/** A database for Auth and the data API. */
export type Connection = ReturnType<typeof openConnection>

/** Connects to a database. Each request runs in its own session, transaction and role. */
export function openConnection(url: string) {
  const options = connectionOptions(url, 1)
  const open = (onclose?: () => void) =>
    createPostgresConnection({
      postgresOptions: { ...options, ...(onclose && { onclose }), types: TYPES },
    })
  requireVersion()
  const lite = open()
  const sessions = createSessions((onclose) => open(onclose).driver, API_SESSIONS, { setUp: SET_UP })
  const transactions = new AsyncLocalStorage<ReservedSql>()
  lite.driver.reserve = async () => transactions.getStore() ?? reserveLater(sessions)
  setContext(lite)
  setReader(lite)
  return {
    lite,
    /**
     * Answers an Auth request in one transaction. A server error rolls it back. Supabase Lite commits each statement, so an
     * interrupted token refresh would leave the session without a valid token.
     */
    async atomically(answer: () => Promise<Response>): Promise<Response> {
      const session = reserveLater(sessions)
      await session.unsafe('begin')
      let end = 'rollback'
      try {
        const response = await transactions.run(withinTransaction(session), answer)
        if (response.status < 500) end = 'commit'
        return response
      } finally {
        await session.unsafe(end).finally(() => session.release())
      }
    },
    /** Runs a statement in a session for requests. Throws DatabaseUnavailable if none is free. */
    async run(statement: string): Promise<unknown[]> {
      const { run, release } = await sessions.take()
      return run(statement).finally(release)
    },
    async close(): Promise<void> {
      await Promise.all([sessions.end(), lite.driver.end({ timeout: 2 })])
    },
  }
}

/** Throws a StartError if another version is installed. The package bundles Supabase Lite, so it always fits there. */
export function requireVersion(version = isPackage ? VERSION : installedVersion()): void {
  if (version === VERSION) return
  throw new StartError(
    `The tracker fits Supabase Lite ${VERSION}, not ${version}. Run npm ci, or adapt embedded/supabase-lite.`,
  )
}

function installedVersion(): string {
  return JSON.parse(readFileSync(findPackageJSON('@supabase/lite', import.meta.url)!, 'utf8')).version
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
    return withSettings(settings, () => undoIfRefused((run) => kysely.transaction().execute(run), work))
  }
}

/** Replaces how Supabase Lite reads a request's names, filters and values, which it guesses by their look. */
function setReader(lite: PostgresConnection): void {
  const check = lite.onPostgrestAST.bind(lite)
  // The type 0 lets PostgreSQL choose the type.
  const asText = (text: string | null) => (text === null ? null : lite.driver.typed(text, 0))
  lite.onPostgrestAST = async (ast) => {
    const plan = currentPlan()
    if (!plan) throw new Error('The request has no plan.')
    await check(ast)
    try {
      plan.apply(ast, asText)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      plan.refusal = error
      // Supabase Lite answers this error without logging it.
      throw new Error('Invalid JSON body', { cause: error })
    }
    return ast
  }
}

/** An error response to a statement that ran. */
class Undone extends Error {
  readonly response: unknown
  constructor(response: unknown) {
    super('The request was undone.')
    this.response = response
  }
}

/**
 * Undoes what `work` wrote if its response is an error. Supabase Lite checks some results only afterwards, such as that
 * `.single()` matched one row, and would commit the others.
 */
async function undoIfRefused<Transaction, Answer>(
  transact: (run: (transaction: Transaction) => Promise<Answer>) => Promise<Answer>,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await transact(async (transaction) => {
      const response = await work(transaction)
      if (!(response instanceof Response)) return response
      const refusal = currentPlan()?.check?.(response)
      if (refusal) throw new Undone(errorResponse(refusal))
      if (response.status >= 400) throw new Undone(response)
      return response
    })
  } catch (error) {
    if (error instanceof Undone) return error.response as Answer
    throw error
  }
}
