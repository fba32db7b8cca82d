import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { accountPrefix, isWritable, requireWritable } from '../data-folder.ts'
import { openDatabase } from '../database.ts'
import { appliedVersions } from '../migrations.ts'
import { copyCluster, findRunning } from '../postgres/cluster.ts'
import { connect } from '../postgres/connect.ts'
import { clusterFolderOf, reachServer } from '../postgres/server.ts'
import { sampleLogMarker } from '../sample.ts'
import { readOrCreateSecrets } from '../secrets.ts'
import { StartError, type Settings } from '../settings.ts'
import { exportBackup } from './export.ts'
import type { Backup } from './file.ts'
import { restoreBackup, type RestoreOptions } from './restore.ts'

/** The text of the account's backup, whether a tracker is running or not. */
export async function takeBackup(settings: Settings): Promise<string> {
  const folder = clusterFolderOf(settings)
  const missing = new StartError(`There is nothing to back up in ${settings.dataFolder}.`)
  if (!settings.databaseUrl && !existsSync(folder)) throw missing
  await using cleanup = new AsyncDisposableStack()
  const server = await reachServer(await writablePlace(settings, cleanup))
  cleanup.defer(() => server.stop())
  const sql = connect(server.url)
  cleanup.defer(() => sql.end())
  // As the database is: a backup must not depend on whether a migration succeeds.
  if ((await appliedVersions(sql)).length === 0) throw missing
  return exportBackup(sql)
}

// Rows, their indexes and the write-ahead log take up to four times what they take in the file. PostgreSQL may stop when
// the log runs out of space.
const BYTES_PER_BYTE = 4

/** Restores a backup into the account's database, which is created if there is none. */
export async function bringBack(settings: Settings, backup: Backup, options: RestoreOptions): Promise<void> {
  const prefix = accountPrefix(settings)
  if (!settings.databaseUrl) {
    await requireWritable(settings.dataFolder, BYTES_PER_BYTE * Buffer.byteLength(backup.text))
  }
  await using cleanup = new AsyncDisposableStack()
  const server = await reachServer(settings, { carryOver: true })
  cleanup.defer(() => server.stop())
  const database = await openDatabase(server.url, await readOrCreateSecrets(`${prefix}-keys.json`), prefix)
  cleanup.defer(() => database.close())
  await restoreBackup(database.sql, backup, options)
  // The restored log is the log, also when it is empty: the sample's own must not replace it.
  if (settings.account === 'sample') await writeFile(sampleLogMarker(prefix), '')
}

/** The same settings, or those of a copy of a stopped cluster whose disk is full or read-only: PostgreSQL has to write. */
async function writablePlace(settings: Settings, cleanup: AsyncDisposableStack): Promise<Settings> {
  const folder = clusterFolderOf(settings)
  if (settings.databaseUrl || findRunning(folder) || (await isWritable(settings.dataFolder))) return settings
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'tracker-backup-'))
  cleanup.defer(() => rm(dataFolder, { recursive: true }))
  const copy = { ...settings, dataFolder }
  await copyCluster(folder, clusterFolderOf(copy))
  return copy
}
