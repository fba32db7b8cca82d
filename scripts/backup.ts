import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { backUp, backupFile } from '../embedded/backup/export.ts'
import { describe, readBackup } from '../embedded/backup/file.ts'
import { readCommandLine, resolvePath, runCommand } from '../embedded/command-line.ts'
import { accountPrefix, isWritable } from '../embedded/data-folder.ts'
import { appliedVersions } from '../embedded/migrations.ts'
import { copyCluster, findRunning } from '../embedded/postgres/cluster.ts'
import { connect } from '../embedded/postgres/connect.ts'
import { clusterFolderOf, findOrStartServer } from '../embedded/postgres/server.ts'
import { readSettings, type Settings, StartError } from '../embedded/settings.ts'

const { args } = readCommandLine({
  name: 'backup',
  about: 'Backs up all data to a file, by default in the data folder. The tracker may be running.',
  usage: '[file]',
  maxArguments: 1,
})

await runCommand(async () => {
  const settings = readSettings(process.env)
  const folder = clusterFolderOf(settings)
  const missing = new StartError(`There is nothing to back up in ${settings.dataFolder}.`)
  if (!settings.databaseUrl && !existsSync(folder)) throw missing
  await using cleanup = new AsyncDisposableStack()
  const server = await findOrStartServer(await writableSettings(settings, cleanup), { onlyReads: true })
  cleanup.defer(() => server.stop())
  const sql = connect(server.url)
  cleanup.defer(() => sql.end())
  // Back up without migrating, so a failing migration can't prevent a backup.
  const schema = (await appliedVersions(sql)).at(-1)
  if (schema === undefined) throw missing
  const file = args[0] ? resolvePath(args[0]) : backupFile(accountPrefix(settings), schema)
  await backUp(sql, file)
  console.log(`Backed up ${describe(await readBackup(file))}: ${file}`)
})

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
