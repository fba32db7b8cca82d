// One PostgreSQL server per test run, and databases on it that take 50 ms to make: copies of templates. The server is the
// tracker's own, without fsync, or the one that TEST_DATABASE_URL names, whose user may create databases.
import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, openSessions, type Database } from '../embedded/database.ts'
import { startCluster } from '../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../embedded/postgres/connect.ts'
import { createSecrets } from '../embedded/secrets.ts'
import { start, temporaryFolder, type Running } from './running.ts'

const MIGRATED = 'tracker_template'
const SAMPLE = 'tracker_sample'
// Several test files are open at a time, each with a pool of its own.
const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' }

/** Starts the server for a test run or a bench, unless one is running already; returns how to stop it. */
export async function startTestServer(): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack()
  if (process.env.TEST_TEMPLATES) return async () => undefined
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
  process.env.TEST_TEMPLATES = 'ready'
  starting.defer(() => void delete process.env.TEST_TEMPLATES)
  const started = starting.move()
  return () => started.disposeAsync()
}

/** The same, with a template of the sample after its first start, for `startSample`. */
export async function startTestServerWithSample(): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack()
  starting.defer(await startTestServer())
  if (!process.env.TEST_SAMPLE_FOLDER) {
    const { folder, remove } = await temporaryFolder()
    starting.defer(remove)
    const { url, drop } = await createDatabase('template0', SAMPLE)
    starting.defer(drop)
    await (await start({ TRACKER_DATA_DIR: folder, DATABASE_URL: url })).stop()
    process.env.TEST_SAMPLE_FOLDER = folder
    starting.defer(() => void delete process.env.TEST_SAMPLE_FOLDER)
  }
  const started = starting.move()
  return () => started.disposeAsync()
}

/** A tracker with the sample, on a database of its own; `stop` removes everything. */
export async function startSample(): Promise<Running> {
  const [{ folder, remove }, { url, drop }] = await Promise.all([temporaryFolder(), createDatabase(SAMPLE)])
  const keys = ['sample-keys.json', 'sample-log-seeded']
  for (const file of keys) await cp(path.join(process.env.TEST_SAMPLE_FOLDER!, file), path.join(folder, file))
  const tracker = await start({ TRACKER_DATA_DIR: folder, DATABASE_URL: url })
  return {
    ...tracker,
    async stop(signal) {
      const ended = await tracker.stop(signal)
      await Promise.all([drop(), remove()])
      return ended
    },
  }
}

export interface CreatedDatabase {
  url: string
  drop: () => Promise<void>
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

async function createDatabase(
  template: string,
  name = `test_${randomUUID().replaceAll('-', '')}`,
): Promise<CreatedDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('No test server is running: call startTestServer first.')
  const onServer = async (statement: string) => {
    const sql = connect(server)
    await sql.unsafe(statement).finally(() => sql.end())
  }
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return { url: withDatabase(server, name), drop: () => onServer(`drop database ${name} with (force)`) }
}
