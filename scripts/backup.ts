// `npm run backup [file]`: backs up all data to one file, whether or not the tracker is running.
import path from 'node:path'
import { takeBackup } from '../embedded/backup/commands.ts'
import { describe, parseBackup, writeAtomically } from '../embedded/backup/file.ts'
import { backupFile } from '../embedded/backup/export.ts'
import { accountPrefix } from '../embedded/data-folder.ts'
import { readSettings } from '../embedded/settings.ts'
import { resolvePath, runCommand } from './command.ts'

await runCommand(async () => {
  const settings = readSettings(process.env, { dev: false })
  const text = await takeBackup(settings)
  const backup = parseBackup(text, 'The backup')
  const [argument] = process.argv.slice(2)
  const file = argument ? resolvePath(argument) : backupFile(accountPrefix(settings), backup.schema)
  await writeAtomically(path.resolve(file), text)
  console.log(`Backed up ${describe(backup)}: ${file}`)
})
