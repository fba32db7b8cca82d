import { describe } from '../embedded/backup/file.ts'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { readSettings } from '../embedded/settings.ts'
import { switchAccount } from '../embedded/switch-account.ts'

readCommandLine({
  name: 'switch-account',
  about:
    'Backs up, then removes the rides, so the next sync can load the rides of another Ride with GPS account.',
})

await runCommand(async () => {
  const { backup, file, rides, bikes } = await switchAccount(readSettings(process.env))
  console.log(`Backed up ${describe(backup)}: ${file}`)
  console.log(
    `Removed ${count(rides, 'ride')}, and ${count(bikes, 'bike')} without log entries or service tasks. The log is unchanged.`,
  )
  console.log('The next sync loads the rides of the new account.')
})

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
