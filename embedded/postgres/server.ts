import { existsSync } from 'node:fs'
import path from 'node:path'
import { refuseOldFormat, requireWritable } from '../data-folder.ts'
import { StartError, type Settings } from '../settings.ts'
import { findRunning, startCluster } from './cluster.ts'
import { connect, withDatabase } from './connect.ts'
import { lock, lockState } from './lock.ts'

/** The PostgreSQL server that holds the owner's data: the tracker's own, or the one that DATABASE_URL names. */
export interface Server {
  /** The address of the account's database. */
  url: string
  /** Resolves, with what PostgreSQL printed last, when the tracker's own server ended by itself. */
  died: Promise<string>
  stop(): Promise<void>
}

type Place = Pick<Settings, 'dataFolder' | 'account' | 'databaseUrl'>

const OLDEST_MAJOR = 15
const NEVER = new Promise<never>(() => undefined)

/** Where the tracker's own PostgreSQL keeps its files. */
export const clusterFolderOf = ({ dataFolder }: Pick<Settings, 'dataFolder'>) =>
  path.join(dataFolder, 'postgres')

/**
 * Starts PostgreSQL with a database for the account, or connects to the owner's. It belongs to this process until `stop`:
 * throws `DatabaseInUse` when another tracker has it, and a StartError when it can't be used.
 */
export async function startServer(place: Place, { carryOver = false } = {}): Promise<Server> {
  if (place.databaseUrl) return useOwnServer(place.databaseUrl)
  await using starting = new AsyncDisposableStack()
  await requireWritable(place.dataFolder)
  const folder = clusterFolderOf(place)
  if (!carryOver && !existsSync(folder)) refuseOldFormat(place)
  const cluster = await startCluster(folder)
  starting.defer(() => cluster.stop())
  starting.defer(await lock(cluster.url, `The data folder ${place.dataFolder}`))
  await ensureDatabase(cluster.url, place, carryOver)
  const started = starting.move()
  return {
    url: withDatabase(cluster.url, place.account),
    died: cluster.died,
    stop: () => started.disposeAsync(),
  }
}

/** The account's database for a command: on the server that a tracker runs, else on one that is started for it. */
export async function reachServer(place: Place, { carryOver = false } = {}): Promise<Server> {
  if (place.databaseUrl) return { url: place.databaseUrl, died: NEVER, stop: async () => undefined }
  const running = findRunning(clusterFolderOf(place))
  if (!running || (await lockState(running)) !== 'locked') return startServer(place, { carryOver })
  await ensureDatabase(running, place, carryOver)
  return { url: withDatabase(running, place.account), died: NEVER, stop: async () => undefined }
}

async function useOwnServer(url: string): Promise<Server> {
  const sql = connect(url)
  try {
    const [server] = await sql`
      select current_setting('server_version_num')::integer / 10000 as major,
        to_regclass('auth.schema_migrations') is not null as is_supabase`
    if (server!.major < OLDEST_MAJOR) {
      throw new StartError(
        `DATABASE_URL names PostgreSQL ${server!.major}; the tracker needs ${OLDEST_MAJOR} or later.`,
      )
    }
    // Its own Auth keeps accounts in the same tables, in another version.
    if (server!.is_supabase) {
      throw new StartError(
        'DATABASE_URL names a Supabase project. It needs no npm start: docs/deploy.md says how to use it.',
      )
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    // The driver's messages name hosts and users, never a password.
    throw new StartError(`The database of DATABASE_URL can't be reached: ${(error as Error).message}.`)
  } finally {
    await sql.end()
  }
  const unlock = await lock(url, 'The database of DATABASE_URL')
  return { url, died: NEVER, stop: unlock }
}

async function ensureDatabase(url: string, place: Place, carryOver: boolean): Promise<void> {
  const sql = connect(url)
  try {
    const found = await sql`select from pg_database where datname = ${place.account}`
    if (found.length > 0) return
    if (!carryOver) refuseOldFormat(place)
    await sql.unsafe(`create database ${place.account}`)
  } finally {
    await sql.end()
  }
}
