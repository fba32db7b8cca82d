import { restoreAccount } from '../embedded/backup/commands.ts'
import { describe, readBackupFile, writeAtomically } from '../embedded/backup/file.ts'
import { restoreScript } from '../embedded/backup/restore.ts'
import { readCommandLine, resolvePath, runCommand } from '../embedded/command-line.ts'
import { commandLine, isPackage } from '../embedded/installation.ts'
import { readSettings, StartError } from '../embedded/settings.ts'

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
  const backup = readBackupFile(resolvePath(file))
  if (sql) {
    await writeAtomically(resolvePath(sql), restoreScript(backup, { replace }))
    console.log(`Wrote ${describe(backup)} as SQL: ${resolvePath(sql)}`)
  } else {
    await restoreAccount(readSettings(process.env, { dev: false }), backup, { replace })
    console.log(`Restored ${describe(backup)}.`)
  }
})

// Without --, npm consumes the flag itself. Up to version 11, npm also expands --replace to --replace-registry-host.
function replaceFlagFromNpm(): boolean {
  const { npm_config_replace: flag, npm_config_replace_registry_host: expanded } = process.env
  return flag === 'true' || expanded === 'true'
}
