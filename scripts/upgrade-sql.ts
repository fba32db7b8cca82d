// `npm run upgrade-sql file.sql`: writes SQL that upgrades a hosted database of the last preview of version 1.0.
import { writeAtomically } from '../embedded/backup/file.ts'
import { resolvePath, runCommand } from '../embedded/command-line.ts'
import { readMigrations } from '../embedded/migrations.ts'
import { StartError } from '../embedded/settings.ts'
import { upgradeScript } from '../embedded/upgrade.ts'

await runCommand(async () => {
  const [argument] = process.argv.slice(2)
  if (!argument) throw new StartError('Enter the file to write: npm run upgrade-sql upgrade.sql.')
  const file = resolvePath(argument)
  await writeAtomically(file, await upgradeScript(await readMigrations()))
  console.log(`Wrote ${file}`)
})
