// `npm run restore file [-- --replace]`: brings a backup into the stack, whether it runs or not.
// `npm run restore file -- --sql script.sql [--replace]`: writes it as SQL for another PostgreSQL instead.
import { parseArgs } from 'node:util'
import { bringBack } from '../embedded/backup/commands.ts'
import { describe, readBackupFile, writeWhole } from '../embedded/backup/file.ts'
import { restoreScript } from '../embedded/backup/restore.ts'
import { readSettings, StartError } from '../embedded/settings.ts'
import { fromHere, runCommand } from './command.ts'

const USAGE =
  'Say which file to restore: npm run restore backup.json, with -- --replace to put it in the place of what is there.'

await runCommand(async () => {
  const { file, replace, sql } = readArguments()
  const backup = await readBackupFile(fromHere(file))
  if (sql) {
    await writeWhole(fromHere(sql), restoreScript(backup, { replace }))
    console.log(`Wrote ${describe(backup)} as SQL: ${fromHere(sql)}`)
  } else {
    await bringBack(readSettings(process.env, { dev: false }), backup, { replace })
    console.log(`Restored ${describe(backup)}.`)
  }
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { replace: { type: 'boolean' }, sql: { type: 'string' } },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new StartError(USAGE)
    return { file, sql: values.sql, replace: values.replace ?? replaceSaidToNpm() }
  } catch {
    throw new StartError(USAGE)
  }
}

// npm keeps a flag that does not stand behind -- to itself, and up to npm 11 takes this one for the abbreviation of another.
function replaceSaidToNpm(): boolean {
  const { npm_config_replace: itself, npm_config_replace_registry_host: taken } = process.env
  return itself === 'true' || taken === 'true'
}
