import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from 'postgres'
import { refuseOldFormat, requireWritable } from '../data-folder.ts'
import { StartError, type Settings } from '../settings.ts'
import { findRunning, startCluster } from './cluster.ts'
import { connect, withDatabase } from './connect.ts'
import { requireReachable, requireUsable } from './external.ts'
import { DatabaseInUse, type Holder, lock, lockState } from './lock.ts'

/** The PostgreSQL server with the owner's data: started by the tracker, or provided through DATABASE_URL. */
export interface Server {
  url: string
  /** The session that holds the lock; undefined if a running tracker holds it. */
  session?: Sql
  /** Resolves with the reason if the tracker can't keep using the server. */
  died: Promise<StartError>
  stop(): Promise<void>
}

type ServerSettings = Pick<Settings, 'dataFolder' | 'account' | 'databaseUrl'>

const NEVER = new Promise<never>(() => undefined)

export const clusterFolderOf = ({ dataFolder }: Pick<Settings, 'dataFolder'>) =>
  path.join(dataFolder, 'postgres')

/**
 * Starts PostgreSQL with a database for the account, or connects to DATABASE_URL, and locks the server until `stop`. Throws
 * `DatabaseInUse` if another tracker has locked it, and a StartError if it can't be used. `allowOldFormat` ignores data from
 * version 0.1 instead of throwing.
 */
export async function startServer(
  settings: ServerSettings,
  { allowOldFormat = false, holder = 'tracker' }: { allowOldFormat?: boolean; holder?: Holder } = {},
): Promise<Server> {
  await requireWritable(settings.dataFolder)
  if (settings.databaseUrl) return useExternalServer(settings.databaseUrl, settings.account)
  await using starting = new AsyncDisposableStack()
  const folder = clusterFolderOf(settings)
  if (!allowOldFormat && !existsSync(folder)) refuseOldFormat(settings)
  const cluster = await startCluster(folder)
  starting.defer(() => cluster.stop())
  await ensureDatabase(cluster.url, settings, allowOldFormat)
  const url = withDatabase(cluster.url, settings.account)
  const lost = Promise.withResolvers<StartError>()
  const session = await lock(url, `The data folder ${settings.dataFolder}`, lost.resolve, holder)
  starting.defer(() => session.end())
  const started = starting.move()
  return {
    url,
    session,
    died: Promise.race([
      lost.promise,
      cluster.died.then(
        (output) => new StartError(`PostgreSQL stopped unexpectedly. Start again.\n${output}`),
      ),
      cluster.moved.then(() => new StartError(movedMessage(settings.dataFolder))),
    ]),
    stop: () => started.disposeAsync(),
  }
}

const movedMessage = (dataFolder: string) =>
  `The data folder ${dataFolder} was moved or deleted while the tracker was running. Move it back, or set TRACKER_DATA_DIR to its new place, then start again.`

/**
 * Connects a command to the running tracker's server, or starts a server, one command at a time. With `onlyReads`, also connects to
 * a server at DATABASE_URL that the tracker can't use.
 */
export async function findOrStartServer(
  settings: ServerSettings,
  { allowOldFormat = false, onlyReads = false } = {},
): Promise<Server> {
  const { databaseUrl, account } = settings
  if (databaseUrl) {
    await (onlyReads ? requireReachable(databaseUrl) : requireUsable(databaseUrl, account))
    return { url: databaseUrl, died: NEVER, stop: async () => undefined }
  }
  for (;;) {
    const running = findRunning(clusterFolderOf(settings))
    if (running && (await lockState(running)) === 'tracker') {
      await ensureDatabase(running, settings, allowOldFormat)
      return { url: withDatabase(running, settings.account), died: NEVER, stop: async () => undefined }
    }
    try {
      return await startServer(settings, { allowOldFormat, holder: 'command' })
    } catch (error) {
      // A tracker or a command was faster. A tracker also loses its lock while PostgreSQL recovers from a crash.
      if (!(error instanceof DatabaseInUse)) throw error
    }
  }
}

async function useExternalServer(url: string, account: Settings['account']): Promise<Server> {
  await requireUsable(url, account)
  const lost = Promise.withResolvers<StartError>()
  const session = await lock(url, 'The database at DATABASE_URL', lost.resolve)
  return { url, session, died: lost.promise, stop: () => session.end() }
}

async function ensureDatabase(url: string, settings: ServerSettings, allowOldFormat: boolean): Promise<void> {
  const sql = connect(url)
  try {
    const found = await sql`select from pg_database where datname = ${settings.account}`
    if (found.length > 0) return
    if (!allowOldFormat) refuseOldFormat(settings)
    await sql.unsafe(`create database ${settings.account}`)
  } finally {
    await sql.end()
  }
}
