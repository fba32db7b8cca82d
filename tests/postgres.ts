// One PostgreSQL server per test run, and databases on it that cost 50 ms: copies of templates. The server is the
// tracker's own, without fsync; or the one that TEST_DATABASE_URL names, whose user may create databases.
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, openSessions, type Database } from '../embedded/database.ts'
import { startCluster } from '../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../embedded/postgres/connect.ts'
import { createSecrets } from '../embedded/secrets.ts'
import { temporaryFolder } from './running.ts'

const MIGRATED = 'tracker_template'
// Several test files are open at a time, each with a pool of its own.
const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '100' }

/** Starts the server for a test run or a bench; returns how to stop it. Vitest and Playwright call it before all tests. */
export default async function startTestServer(): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack()
  if (!process.env.TEST_DATABASE_URL) {
    const { folder, remove } = await temporaryFolder()
    starting.defer(remove)
    const cluster = await startCluster(path.join(folder, 'postgres'), FAST)
    starting.defer(() => cluster.stop())
    process.env.TEST_DATABASE_URL = cluster.url
    starting.defer(() => void delete process.env.TEST_DATABASE_URL)
  }
  const migrated = await createDatabase('template0', MIGRATED)
  starting.defer(migrated.drop)
  const database = await openDatabase(migrated.url, createSecrets(), path.join(tmpdir(), 'never'))
  await database.close()
  const started = starting.move()
  return () => started.disposeAsync()
}

export interface CreatedDatabase {
  url: string
  drop(): Promise<void>
}

/** A database with Auth's tables and every migration, without a row. */
export const createMigrated = () => createDatabase(MIGRATED)

/** The same, opened as the tracker opens it; `close` drops it. */
export async function openMigrated(): Promise<Database> {
  const { url, drop } = await createMigrated()
  const database = openSessions(url)
  return { ...database, close: () => database.close().then(drop) }
}

/** A database without anything. */
export const createEmpty = () => createDatabase('template0')

async function createDatabase(template: string, name = `test_${randomUUID().replaceAll('-', '')}`) {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('No test server runs: call startTestServer first.')
  const onServer = async (statement: string) => {
    const sql = connect(server)
    await sql.unsafe(statement).finally(() => sql.end())
  }
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return { url: withDatabase(server, name), drop: () => onServer(`drop database ${name} with (force)`) }
}
