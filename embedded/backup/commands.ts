import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { accountPrefix, isWritable, requireWritable } from '../data-folder.ts'
import { openDatabase } from '../database.ts'
import { appliedVersions } from '../migrations.ts'
import { copyCluster, findRunning } from '../postgres/cluster.ts'
import { connect } from '../postgres/connect.ts'
import { clusterFolderOf, findOrStartServer } from '../postgres/server.ts'
import { sampleLogMarker } from '../sample.ts'
import { readOrCreateSecrets } from '../secrets.ts'
import { StartError, type Settings } from '../settings.ts'
import { exportBackup } from './export.ts'
import type { Backup } from './file.ts'
import { restoreBackup, type RestoreOptions } from './restore.ts'

/** Returns the account's data as a backup file's text. Works whether or not the tracker is running. */
export async function takeBackup(settings: Settings): Promise<string> {
  const folder = clusterFolderOf(settings)
  const missing = new StartError(`There is nothing to back up in ${settings.dataFolder}.`)
  if (!settings.databaseUrl && !existsSync(folder)) throw missing
  await using cleanup = new AsyncDisposableStack()
  const server = await findOrStartServer(await writableSettings(settings, cleanup))
  cleanup.defer(() => server.stop())
  const sql = connect(server.url)
  cleanup.defer(() => sql.end())
  // Back up without migrating, so a failing migration can't prevent a backup.
  if ((await appliedVersions(sql)).length === 0) throw missing
  return exportBackup(sql)
}

// Rows, indexes and the write-ahead log need up to four times the file's size. If the disk fills up, PostgreSQL may stop.
const DISK_SPACE_FACTOR = 4

/** Restores a backup into the account's database. Creates the database if needed. */
export async function restoreAccount(
  settings: Settings,
  backup: Backup,
  options: RestoreOptions,
): Promise<void> {
  const prefix = accountPrefix(settings)
  const bytes = settings.databaseUrl ? 0 : DISK_SPACE_FACTOR * Buffer.byteLength(backup.text)
  await requireWritable(settings.dataFolder, bytes)
  await using cleanup = new AsyncDisposableStack()
  const server = await findOrStartServer(settings, { allowOldFormat: true })
  cleanup.defer(() => server.stop())
  const database = await openDatabase(server, await readOrCreateSecrets(`${prefix}-keys.json`), prefix)
  cleanup.defer(() => database.close())
  await restoreBackup(database.sql, backup, options)
  // Mark the sample log as created, so an empty restored log stays empty.
  if (settings.account === 'sample') await writeFile(sampleLogMarker(prefix), '')
}

/** Returns settings for a temporary copy if a stopped cluster's disk is full or read-only. PostgreSQL must write to start. */
async function writableSettings(settings: Settings, cleanup: AsyncDisposableStack): Promise<Settings> {
  const folder = clusterFolderOf(settings)
  if (settings.databaseUrl || findRunning(folder) || (await isWritable(settings.dataFolder))) return settings
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'tracker-backup-'))
  cleanup.defer(() => rm(dataFolder, { recursive: true }))
  const copy = { ...settings, dataFolder }
  await copyCluster(folder, clusterFolderOf(copy))
  return copy
}
