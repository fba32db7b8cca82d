// `npm run backup [file]`: writes everything worth keeping into one file, whether the stack runs or not.
import path from 'node:path'
import { takeBackup } from '../embedded/backup/commands.ts'
import { describe, parseBackup, writeWhole } from '../embedded/backup/file.ts'
import { backupFile } from '../embedded/backup/folder.ts'
import { accountPrefix } from '../embedded/data-folder.ts'
import { readSettings } from '../embedded/settings.ts'
import { fromHere, runCommand } from './command.ts'

await runCommand(async () => {
  const settings = readSettings(process.env, { dev: false })
  const text = await takeBackup(settings)
  const backup = parseBackup(text, 'What was written')
  const [named] = process.argv.slice(2)
  const file = named ? fromHere(named) : backupFile(accountPrefix(settings), backup.schema)
  await writeWhole(path.resolve(file), text)
  console.log(`Backed up ${describe(backup)}: ${file}`)
})
