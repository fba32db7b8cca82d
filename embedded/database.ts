import { AsyncLocalStorage } from 'node:async_hooks'
import { fileURLToPath } from 'node:url'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import type { ReservedSql, Sql } from 'postgres'
import { createApp } from './api.ts'
import { applyMigrations, readMigrations } from './migrations.ts'
import { connect, connectionOptions, POSTGREST_TYPES } from './postgres/connect.ts'
import type { Secrets } from './secrets.ts'
import { prepareUpgrade } from './upgrade.ts'

const MIGRATIONS = fileURLToPath(new URL('../supabase/migrations', import.meta.url))

// Requests run in parallel up to this number; more of them wait for a session.
const API_SESSIONS = 4
// As on hosted Supabase, where no request of a signed-in user runs longer.
const API_TIMEOUT_MS = 8000

// What a Supabase project has before its first migration.
const ROLES = `
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
  end loop;
  alter role service_role bypassrls;
end
$$;
grant usage on schema public to anon, authenticated, service_role;
`

export interface Database {
  /** For Auth and the data API. Each request runs in a session, a transaction and a role of its own. */
  connection: PostgresConnection
  /** Runs Auth's part of a request in one transaction, which is undone if the response is a server error. */
  atomically(work: () => Promise<Response>): Promise<Response>
  /** For the tracker itself: past every policy, without a time limit. */
  sql: Sql
  close(): Promise<void>
}

/**
 * Opens the database at `url`, with Auth's tables and every migration applied. Before migrations change a database with
 * rows in it, it is backed up into a file whose name begins with `backupPrefix`.
 */
export async function openDatabase(url: string, secrets: Secrets, backupPrefix: string): Promise<Database> {
  const database = openSessions(url)
  try {
    const migrations = await readMigrations(MIGRATIONS)
    await prepareUpgrade(database.sql, backupPrefix, migrations)
    await database.sql.unsafe(ROLES)
    await createApp(database, secrets).ensureSystemSchema()
    await applyMigrations(database.sql, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens a database as it is. */
export function openSessions(url: string): Database {
  const { url: address, options } = connectionOptions(url, API_SESSIONS)
  const connection = createPostgresConnection({
    url: address,
    postgresOptions: {
      ...options,
      types: POSTGREST_TYPES,
      connection: { statement_timeout: API_TIMEOUT_MS, idle_in_transaction_session_timeout: 60_000 },
    },
  })
  adaptErrors(connection.driver)
  const sql = connect(url, 2)
  return {
    connection,
    atomically: oneTransaction(connection),
    sql,
    async close() {
      // A statement that still runs is given up.
      await Promise.all([connection.driver, sql].map((sessions) => sessions.end({ timeout: 2 })))
    },
  }
}

/**
 * Supabase Lite commits each of Auth's statements by itself. A refresh that fails halfway, or is cut off, would leave the
 * session without a valid token.
 */
function oneTransaction(connection: PostgresConnection): Database['atomically'] {
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

interface DriverError {
  code?: string
  message: string
  detail?: string
}

/** Adapts PostgreSQL's errors to Supabase Lite before it logs and answers them. */
function adaptErrors(driver: PostgresConnection['driver']): void {
  const reserve = driver.reserve.bind(driver)
  driver.reserve = async () => {
    const session = await reserve()
    const unsafe = session.unsafe.bind(session)
    const adapted = (...query: Parameters<typeof unsafe>) =>
      unsafe(...query).catch((error: DriverError) => {
        // Details quote rows. What the owner wrote, and the email, stay out of logs.
        delete error.detail
        if (BAD_REQUEST.test(error.code ?? '')) answerWith400(error)
        throw error
      })
    return Object.assign(session, { unsafe: adapted as ReservedSql['unsafe'] })
  }
}

// Failed checks and errors of our own, which PostgREST answers with 400 and Supabase Lite with 500.
const BAD_REQUEST = /^(?:23514|P0001|RMT\d\d)$/

/** Rewrites an error as PostgREST expects one that chooses its own answer. */
function answerWith400(error: DriverError): void {
  const { code, message } = error
  Object.assign(error, {
    code: 'PGRST',
    message: JSON.stringify({ code, message }),
    detail: JSON.stringify({ status: 400, headers: {} }),
  })
}
