import type { Sql } from 'postgres'
import { applyMigrations, prepareUpgrade, readMigrations } from './migrations.ts'
import { connect } from './postgres/connect.ts'
import { createRoles } from './postgres/roles.ts'
import type { Server } from './postgres/server.ts'
import type { Secrets } from './secrets.ts'
import { createApp, openConnection, type Connection } from './supabase-lite/index.ts'

export interface Database {
  /** For Auth and the data API. */
  connection: Connection
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
    const migrations = await readMigrations()
    await prepareUpgrade(sql, backupPrefix, migrations)
    await createRoles(sql)
    await createApp(migrating, secrets).createAuthSchema()
    await applyMigrations(sql, migrations)
  } finally {
    await migrating.close()
  }
  return openSessions(url, session)
}

/** Opens a database without migrating it. The tracker's own statements run in `session`, if given. */
export function openSessions(url: string, session?: Sql): Database {
  const connection = openConnection(url)
  const sql = session ?? connect(url, 2)
  return {
    connection,
    sql,
    async close() {
      await Promise.all([connection.close(), session ? undefined : sql.end({ timeout: 2 })])
    },
  }
}
