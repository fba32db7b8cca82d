import { AsyncLocalStorage } from 'node:async_hooks'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import type { ReservedSql, Sql } from 'postgres'
import { createApp } from './api.ts'
import { applyMigrations, MIGRATIONS, prepareUpgrade, readMigrations } from './migrations.ts'
import { connect, connectionOptions, POSTGREST_TYPES } from './postgres/connect.ts'
import type { Server } from './postgres/server.ts'
import type { Secrets } from './secrets.ts'

// The number of requests that run in parallel. Others wait for a session.
const API_SESSIONS = 4
// Hosted Supabase's limit for signed-in users.
const API_TIMEOUT_MS = 8000

/** Creates the roles of every Supabase project. */
export const ROLES = `
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
  end loop;
  -- Roles belong to the server, and altering one fails while another tracker that starts there alters it.
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
end
$$;
grant usage on schema public to anon, authenticated, service_role;
`

export interface Database {
  /** For Auth and the data API. Each request runs in its own session, transaction and role. */
  connection: PostgresConnection
  /** Runs an Auth request in one transaction. A server error rolls it back. */
  atomically(work: () => Promise<Response>): Promise<Response>
  /** For the tracker itself: bypasses RLS and has no time limit. */
  sql: Sql
  close(): Promise<void>
}

/**
 * Opens the database at `url`, creates Auth's tables and applies pending migrations. A database with rows is backed up
 * before an upgrade, to a file whose name starts with `backupPrefix`.
 */
export async function openDatabase(
  { url, session }: Pick<Server, 'url' | 'session'>,
  secrets: Secrets,
  backupPrefix: string,
): Promise<Database> {
  // Migrations fill a session's caches. A session of their own frees that memory.
  const migrating = openSessions(url)
  const { sql } = migrating
  try {
    const migrations = await readMigrations(MIGRATIONS)
    await prepareUpgrade(sql, backupPrefix, migrations)
    await sql.unsafe(ROLES)
    await createApp(migrating, secrets).ensureSystemSchema()
    await applyMigrations(sql, migrations)
  } finally {
    await migrating.close()
  }
  return openSessions(url, session)
}

/** Opens a database without migrating it. The tracker's own statements share `session`, if there is one. */
export function openSessions(url: string, session?: Sql): Database {
  const { url: address, options } = connectionOptions(url, API_SESSIONS)
  const connection = createPostgresConnection({
    url: address,
    postgresOptions: {
      ...options,
      types: POSTGREST_TYPES,
      connection: { statement_timeout: API_TIMEOUT_MS, idle_in_transaction_session_timeout: 60_000 },
    },
  })
  adaptSessions(connection.driver)
  const sql = session ?? connect(url, 2)
  return {
    connection,
    atomically: oneTransaction(connection),
    sql,
    async close() {
      // Cancel statements that are still running.
      const own = session ? [connection.driver] : [connection.driver, sql]
      await Promise.all(own.map((sessions) => sessions.end({ timeout: 2 })))
    },
  }
}

/**
 * Supabase Lite commits each Auth statement separately. Without a transaction, an interrupted token refresh would leave the
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

/** Combines the settings of a request, and adapts PostgreSQL's errors before Supabase Lite logs and returns them. */
function adaptSessions(driver: PostgresConnection['driver']): void {
  const reserve = driver.reserve.bind(driver)
  driver.reserve = async () => {
    const session = await reserve()
    const unsafe = session.unsafe.bind(session)
    let settings: Record<string, unknown> = {}
    const adapted = async (...[query, parameters = [], options]: Parameters<typeof unsafe>) => {
      const [, name, role] = SETTING.exec(query) ?? []
      if (name ?? role) {
        settings[name ?? 'role'] = role ?? parameters[0] ?? ''
        return []
      }
      const run = () => unsafe(query, parameters, options)
      const set = () => unsafe(SET, [JSON.stringify(settings)], { prepare: true })
      // PostgreSQL doesn't run the statement if the settings fail, because they share a transaction.
      const statements = Object.keys(settings).length > 0 ? [set(), run()] : [run()]
      settings = {}
      return Promise.all(statements).then(
        (results) => results.at(-1),
        (error: DriverError) => {
          // Details quote rows. Keep the owner's data and email out of the logs.
          delete error.detail
          if (BAD_REQUEST.test(error.code ?? '')) respondWith400(error)
          throw error
        },
      )
    }
    return Object.assign(session, { unsafe: adapted as unknown as ReservedSql['unsafe'] })
  }
}

// Supabase Lite sets the role, claims and headers of a request in up to twelve statements, most with two round trips each.
// Sending them with the request's own statement halves the CPU time of the tracker and of PostgreSQL.
const SETTING = /^SELECT set_config\('([\w.]+)', (?:\$1|''), true\)$|^SET LOCAL ROLE "(\w+)"$/
const SET = 'select set_config(key, value, true) from json_each_text($1)'

// Failed checks and constraints, and our own errors. PostgREST returns 400 for these, Supabase Lite 500.
const BAD_REQUEST = /^(?:23514|23P01|P0001|RMT\d\d)$/

/** Rewrites an error in the PostgREST format for custom responses. */
function respondWith400(error: DriverError): void {
  const { code, message } = error
  Object.assign(error, {
    code: 'PGRST',
    message: JSON.stringify({ code, message }),
    detail: JSON.stringify({ status: 400, headers: {} }),
  })
}
