import path from 'node:path'
import { takeBackup } from '../embedded/backup/commands.ts'
import { describe, parseBackup, writeAtomically } from '../embedded/backup/file.ts'
import { backupFile } from '../embedded/backup/export.ts'
import { readCommandLine } from '../embedded/command-line.ts'
import { accountPrefix } from '../embedded/data-folder.ts'
import { readSettings } from '../embedded/settings.ts'
import { resolvePath, runCommand } from './command.ts'

const { args } = readCommandLine({
  name: 'backup',
  about: 'Backs up all data to a file, by default in the data folder. The tracker may be running.',
  usage: '[file]',
  maxArguments: 1,
})

await runCommand(async () => {
  const settings = readSettings(process.env, { dev: false })
  const text = await takeBackup(settings)
  const backup = parseBackup(text, 'The backup')
  const file = args[0] ? resolvePath(args[0]) : backupFile(accountPrefix(settings), backup.schema)
  await writeAtomically(path.resolve(file), text)
  console.log(`Backed up ${describe(backup)}: ${file}`)
})
