import { existsSync } from 'node:fs'
import type { Sql } from 'postgres'
import { type Backup, readBackup } from './backup/file.ts'
import { backUp, backupFile, hasRows } from './backup/export.ts'
import { accountPrefix } from './data-folder.ts'
import { openDatabase } from './database.ts'
import { appliedVersions } from './migrations.ts'
import { connect } from './postgres/connect.ts'
import { clusterFolderOf, findOrStartServer } from './postgres/server.ts'
import { readOrCreateSecrets } from './secrets.ts'
import { shortSecretsFile, StartError, type Settings } from './settings.ts'

interface SwitchResult {
  backup: Backup
  file: string
  rides: number
  bikes: number
}

/** Removes the Ride with GPS account's rides after a backup, so the next sync can load another account's. Keeps the log. */
export async function switchAccount(settings: Settings): Promise<SwitchResult> {
  if (settings.account === 'sample') {
    throw new StartError(
      `The sample has no Ride with GPS account. Set the credentials of your new account in ${shortSecretsFile(process.env)}, then run this again.`,
    )
  }
  const nothing = new StartError(
    `There is nothing to switch: ${settings.dataFolder} has no data from a real account.`,
  )
  if (!settings.databaseUrl && !existsSync(clusterFolderOf(settings))) throw nothing
  await using cleanup = new AsyncDisposableStack()
  const server = await findOrStartServer(settings)
  cleanup.defer(() => server.stop())
  if (!(await isMigrated(server.url))) throw nothing

  const prefix = accountPrefix(settings)
  const database = await openDatabase(server, await readOrCreateSecrets(`${prefix}-keys.json`), prefix)
  cleanup.defer(() => database.close())
  if (!(await hasRows(database.sql))) throw nothing
  const newest = (await appliedVersions(database.sql)).at(-1)!
  const file = backupFile(prefix, newest)
  await backUp(database.sql, file)
  return { backup: await readBackup(file), file, ...(await removeAccount(database.sql)) }
}

async function removeAccount(sql: Sql): Promise<{ rides: number; bikes: number }> {
  try {
    const [removed] = await sql<[{ rides: number; bikes: number }]>`
      select * from public.switch_rwgps_account()`
    return removed
  } catch (error) {
    throw new StartError(`Nothing was switched or removed: ${(error as Error).message}.`, { cause: error })
  }
}

async function isMigrated(url: string): Promise<boolean> {
  const sql = connect(url)
  return appliedVersions(sql)
    .then((versions) => versions.length > 0)
    .finally(() => sql.end())
}
