import { AsyncLocalStorage } from 'node:async_hooks'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import type { Sql } from 'postgres'
import { createApp } from './supabase-lite.ts'
import { MIGRATIONS, readMigrations } from './migration-files.ts'
import { applyMigrations, prepareUpgrade } from './migrations.ts'
import { connect, connectionOptions, POSTGREST_TYPES } from './postgres/connect.ts'
import type { Server } from './postgres/server.ts'
import { reserveLater } from './request-session.ts'
import type { Secrets } from './secrets.ts'
import { createSessions } from './sessions.ts'

// The number of API requests that run in parallel. Other requests wait for a session.
const API_SESSIONS = 4
// Hosted Supabase's statement timeout for signed-in users.
const API_TIMEOUT_MS = 8000

/** SQL that creates the roles that every Supabase project has. */
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
  -- Databases on the same server share roles. Altering a role fails if another tracker alters it at the same time.
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
  /** Throws DatabaseUnavailable if requests can't get a session. */
  ping(): Promise<void>
  /** For the tracker's own statements. Bypasses RLS and has no timeout. */
  sql: Sql
  close(): Promise<void>
}

/** Opens and migrates the database at `url`. Before an upgrade, backs up its rows to a path that starts with `backupPrefix`. */
export async function openDatabase(
  { url, session }: Pick<Server, 'url' | 'session'>,
  secrets: Secrets,
  backupPrefix: string,
): Promise<Database> {
  // Migrations fill a session's caches, so give them their own session and close it to free that memory.
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

/** Opens a database without migrating it. The tracker's own statements run in `session`, if given. */
export function openSessions(url: string, session?: Sql): Database {
  const { url: address, options } = connectionOptions(url, 1)
  const openConnection = (onclose?: () => void) =>
    createPostgresConnection({
      url: address,
      postgresOptions: {
        ...options,
        ...(onclose && { onclose }),
        types: POSTGREST_TYPES,
        connection: { statement_timeout: API_TIMEOUT_MS, idle_in_transaction_session_timeout: 60_000 },
      },
    })
  const connection = openConnection()
  const sessions = createSessions((onclose) => openConnection(onclose).driver, API_SESSIONS)
  connection.driver.reserve = async () => reserveLater(sessions)
  const sql = session ?? connect(url, 2)
  return {
    connection,
    atomically: oneTransaction(connection),
    async ping() {
      const { run, release } = await sessions.take()
      await run('select 1').finally(release)
    },
    sql,
    async close() {
      const own = session ? [connection.driver] : [connection.driver, sql]
      await Promise.all([sessions.end(), ...own.map((driver) => driver.end({ timeout: 2 }))])
    },
  }
}

// Supabase Lite commits each Auth statement separately. Without a transaction, an interrupted token refresh would leave the
// session without a valid token.
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
