// Runs one PostgreSQL server per test run. Tests copy its template databases in about 50 ms each. The server is a cluster
// without fsync, or the server at TEST_DATABASE_URL, whose user must be able to create databases. With TEST_AS_HOSTED=1, that
// user must be a superuser, and the tests run as another user.
import { randomUUID } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import bcrypt from 'bcryptjs'
import type { Sql } from 'postgres'
import { openDatabase, openSessions, type Database } from '../embedded/database.ts'
import { startCluster } from '../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../embedded/postgres/connect.ts'
import { ROLES } from '../embedded/postgres/roles.ts'
import { createSecrets } from '../embedded/secrets.ts'
import { createHostedOwner, migrateHosted } from './hosted.ts'
import { bundlePrograms } from './programs.ts'
import { start, temporaryFolder, type Running } from './running.ts'

const MIGRATED = 'tracker_template'
const SAMPLE = 'tracker_sample'
const SAMPLE_KEYS = 'sample-keys.json'
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Several test files run in parallel, each with its own pool and database.
  max_connections: '200',
  // Tests end before any table needs vacuuming.
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '1GB',
}

/** Starts the server for tests or a benchmark, unless it is already running. Returns a function that stops it. */
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
  const server = process.env.TEST_DATABASE_URL
  if (process.env.TEST_AS_HOSTED) process.env.TEST_DATABASE_URL = await createHostedOwner(server)
  const migrated = await createDatabase('template0', MIGRATED)
  starting.defer(migrated.drop)
  if (process.env.TEST_AS_HOSTED) await migrateHosted(server, migrated.url)
  else await (await openDatabase(migrated, createSecrets(), path.join(tmpdir(), 'never'))).close()
  process.env.TEST_TEMPLATES = 'ready'
  starting.defer(() => void delete process.env.TEST_TEMPLATES)
  const started = starting.move()
  return () => started.disposeAsync()
}

/** Also bundles the tracker and creates the sample template for `startSample`. */
export async function startTestServerWithSample(): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack()
  starting.defer(await startTestServer())
  starting.defer(await bundlePrograms())
  if (!process.env.TEST_SAMPLE_FOLDER) {
    const { folder, remove } = await temporaryFolder()
    starting.defer(remove)
    const { url, drop } = await createDatabase('template0', SAMPLE)
    starting.defer(drop)
    await (await start({ TRACKER_DATA_DIR: folder, DATABASE_URL: url })).stop()
    const sql = connect(url)
    await weakenPassword(sql, 'password')
    // The test browsers' time zone, as if the owner had visited before.
    await sql`update private.owner set time_zone = 'America/Los_Angeles'`
    await sql.end()
    process.env.TEST_SAMPLE_FOLDER = folder
    starting.defer(() => void delete process.env.TEST_SAMPLE_FOLDER)
  }
  const started = starting.move()
  return () => started.disposeAsync()
}

/** Hashes the owner's password at the lowest cost (a millisecond), because tests sign in hundreds of times. */
export async function weakenPassword(sql: Sql, password: string): Promise<void> {
  await sql`update auth.users set encrypted_password = ${bcrypt.hashSync(password, 4)}`
}

export interface Prepared {
  environment: { TRACKER_DATA_DIR: string; DATABASE_URL: string }
  remove: () => Promise<unknown>
}

/** Prepares a data folder and a migrated database for a tracker, which halves the time of a first start. */
export async function prepareTracker(template = MIGRATED): Promise<Prepared> {
  const [{ folder, remove }, { url, drop }] = await Promise.all([temporaryFolder(), createDatabase(template)])
  return {
    environment: { TRACKER_DATA_DIR: folder, DATABASE_URL: url },
    remove: () => Promise.all([drop(), remove()]),
  }
}

export async function prepareSample(): Promise<Prepared> {
  const prepared = await prepareTracker(SAMPLE)
  for (const file of [SAMPLE_KEYS, 'sample-log-seeded']) {
    const from = path.join(process.env.TEST_SAMPLE_FOLDER!, file)
    await cp(from, path.join(prepared.environment.TRACKER_DATA_DIR, file))
  }
  return prepared
}

export async function sampleJwtSecret(): Promise<string> {
  const keys = await readFile(path.join(process.env.TEST_SAMPLE_FOLDER!, SAMPLE_KEYS), 'utf8')
  return JSON.parse(keys).jwtSecret
}

/** Starts a tracker with sample data. `stop` also removes the data. */
export const startSample = async () => startPrepared(await prepareSample())

/** Starts a prepared tracker. `stop` also removes its data. */
export async function startPrepared(
  { environment, remove }: Prepared,
  settings: Record<string, string> = {},
): Promise<Running> {
  const tracker = await start({ ...environment, ...settings })
  return {
    ...tracker,
    async stop(signal) {
      const ended = await tracker.stop(signal)
      await remove()
      return ended
    },
  }
}

export interface CreatedDatabase {
  url: string
  drop: () => Promise<void>
}

/** Creates a database with Auth's tables and every migration, but no rows. */
export const createMigrated = () => createDatabase(MIGRATED)

/** Opens a migrated database without rows. `close` drops the database. */
export async function openMigrated(): Promise<Database> {
  const { url, drop } = await createMigrated()
  const database = openSessions(url)
  return { ...database, close: () => database.close().then(drop) }
}

export const createEmpty = () => createDatabase('template0')

/** Creates a database like a new Supabase project's, before any migration. */
export async function createPlain(): Promise<CreatedDatabase> {
  const created = await createEmpty()
  const sql = connect(created.url)
  await sql
    .unsafe(ROLES + (await readFile(new URL('database/plain-postgres.sql', import.meta.url), 'utf8')))
    .finally(() => sql.end())
  return created
}

/** Copies a database that has no sessions. */
export const createCopy = (url: string) => createDatabase(new URL(url).pathname.slice(1))

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
