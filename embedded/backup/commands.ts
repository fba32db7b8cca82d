import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from '../connection.ts'
import { openDatabase } from '../database.ts'
import { DataFolderInUse, databaseFolderOf, takeDataFolder } from '../data-folder.ts'
import { appliedVersions } from '../migrations.ts'
import { readRunning } from '../running.ts'
import { sampleLogMarker } from '../sample.ts'
import { readOrCreateSecrets } from '../secrets.ts'
import { StartError, type Settings } from '../settings.ts'
import { BACKUP_PATH } from './api.ts'
import { exportBackup } from './export.ts'
import type { Backup } from './file.ts'
import { restoreBackup, type RestoreOptions } from './restore.ts'

/** The backup of the account that the settings mean, as text: from the running stack, else from its stopped database. */
export async function takeBackup(settings: Settings): Promise<string> {
  const folder = databaseFolderOf(settings)
  if (!existsSync(folder))
    throw new StartError(`There is nothing to back up in ${folder}: it does not exist.`)
  return withDataFolder(settings, {
    async running(ask) {
      const response = await ask('GET', BACKUP_PATH)
      return response.text()
    },
    async stopped() {
      // As it is: a backup must not depend on whether a migration succeeds.
      const { driver } = await connect(folder)
      if ((await appliedVersions(driver)).length === 0)
        throw new StartError(`There is nothing to back up in ${folder}: its first start was cut short.`)
      return exportBackup(driver)
    },
  })
}

/** Brings a backup into the account that the settings mean; makes its database if there is none. */
export async function bringBack(settings: Settings, backup: Backup, options: RestoreOptions): Promise<void> {
  const folder = databaseFolderOf(settings)
  await withDataFolder(settings, {
    async running(ask) {
      await ask('PUT', `${BACKUP_PATH}?replace=${options.replace}`, backup.text)
    },
    async stopped() {
      const database = await openDatabase(await readOrCreateSecrets(`${folder}-keys.json`), folder)
      await restoreBackup(database.sql, backup, options)
      // What was restored is the log, also when it is empty: the sample's own is not to be put in its place.
      if (settings.account === 'sample') await writeFile(sampleLogMarker(folder), '')
      await database.close()
    },
  })
}

type Ask = (method: string, path: string, body?: string) => Promise<Response>

/** Does it on the data folder itself when nobody runs on it, else by asking whoever does. */
async function withDataFolder<T>(
  settings: Settings,
  ways: { running: (ask: Ask) => Promise<T>; stopped: () => Promise<T> },
): Promise<T> {
  let free: () => void
  try {
    free = await takeDataFolder(settings.dataFolder)
  } catch (error) {
    if (error instanceof DataFolderInUse) return ways.running(await askRunning(settings))
    throw error
  }
  try {
    return await ways.stopped()
  } finally {
    free()
  }
}

async function askRunning({ dataFolder, account }: Settings): Promise<Ask> {
  const running = await readRunning(dataFolder)
  if (!running) {
    throw new StartError(`What runs on ${dataFolder} is just starting or stopping; try again in a moment.`)
  }
  if (running.account !== account) {
    throw new StartError(
      `What runs on ${dataFolder} shows the ${running.account}'s data, and this is about the ${account}'s; stop it first.`,
    )
  }
  const { secretKey } = await readOrCreateSecrets(`${databaseFolderOf({ dataFolder, account })}-keys.json`)
  return async (method, path, body) => {
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}` },
      ...(body === undefined ? {} : { body }),
    }).catch(() => undefined)
    if (response?.ok) return response
    if (response?.status === 422) throw new StartError(await response.text())
    throw new StartError(
      `What runs on ${dataFolder} did not answer (${response?.status ?? 'unreachable'}); stop it and try again.`,
    )
  }
}
