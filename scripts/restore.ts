import { stat, writeFile } from 'node:fs/promises'
import { recordAccount } from '../embedded/account.ts'
import { type Backup, describe, readBackup, writeAtomically } from '../embedded/backup/file.ts'
import { restoreBackup, restoreScript } from '../embedded/backup/restore.ts'
import { readCommandLine, resolvePath, runCommand } from '../embedded/command-line.ts'
import { accountPrefix, requireWritable } from '../embedded/data-folder.ts'
import { openDatabase } from '../embedded/database.ts'
import { commandLine, isPackage } from '../embedded/installation.ts'
import { findOrStartServer } from '../embedded/postgres/server.ts'
import { sampleLogMarker } from '../embedded/sample.ts'
import { readOrCreateSecrets } from '../embedded/secrets.ts'
import { readSettings, StartError } from '../embedded/settings.ts'

// Rows, indexes and the write-ahead log need up to four times the file's size. If the disk fills up, PostgreSQL may stop.
const DISK_SPACE_FACTOR = 4

const MISSING = `Enter the file to restore: ${commandLine('restore')} backup.json. Add ${isPackage ? '' : '-- '}--replace to replace the current data.`

const { values, args } = readCommandLine({
  name: 'restore',
  about:
    'Restores a backup into an empty tracker. With --replace, replaces the current data. With --sql, writes a script for another PostgreSQL instead.',
  usage: isPackage ? 'file [--replace] [--sql script.sql]' : 'file [-- [--replace] [--sql script.sql]]',
  options: { replace: { type: 'boolean' }, sql: { type: 'string' } },
  maxArguments: 1,
})

await runCommand(async () => {
  const [file] = args
  if (!file) throw new StartError(MISSING)
  const { sql, replace = replaceFlagFromNpm() } = values
  const backup = await readBackup(resolvePath(file))
  if (sql) {
    await writeAtomically(resolvePath(sql), restoreScript(backup, { replace }))
    console.log(`Wrote ${describe(backup)} as SQL: ${resolvePath(sql)}`)
  } else {
    await restoreAccount(backup, replace)
    console.log(`Restored ${describe(backup)}.`)
  }
})

// Without --, npm consumes the flag itself. Up to version 11, npm also expands --replace to --replace-registry-host.
function replaceFlagFromNpm(): boolean {
  const { npm_config_replace: flag, npm_config_replace_registry_host: expanded } = process.env
  return flag === 'true' || expanded === 'true'
}

/** Restores a backup into the account's database. Creates the database if needed. */
async function restoreAccount(backup: Backup, replace: boolean): Promise<void> {
  const settings = readSettings(process.env)
  const prefix = accountPrefix(settings)
  const bytes = settings.databaseUrl ? 0 : DISK_SPACE_FACTOR * (await stat(backup.file)).size
  await requireWritable(settings.dataFolder, bytes)
  await using cleanup = new AsyncDisposableStack()
  const server = await findOrStartServer(settings, { allowOldFormat: true })
  cleanup.defer(() => server.stop())
  const database = await openDatabase(server, await readOrCreateSecrets(`${prefix}-keys.json`), prefix)
  cleanup.defer(() => database.close())
  await restoreBackup(database.sql, backup, { replace })
  await recordAccount(database.sql, settings.account)
  // Mark the sample log as created, so an empty restored log stays empty.
  if (settings.account === 'sample') await writeFile(sampleLogMarker(prefix), '')
}
