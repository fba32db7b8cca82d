// `rwgps-maintenance-tracker unit`: prints a systemd unit that runs the installed package.
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { globalCommand, isInHome, ROOT } from '../embedded/installation.ts'
import { StartError } from '../embedded/settings.ts'

readCommandLine({ name: 'unit', about: 'Prints a systemd unit that runs the tracker as its own user.' })

await runCommand(async () => {
  const command = globalCommand()
  // npx's cache and folders of one user, where pnpm and bun install, are closed to the unit's user.
  if (command === undefined || isInHome(await realpath(command)))
    throw new StartError(
      'A service needs the tracker to be installed for all users, with sudo npm install --global.',
    )
  const unit = await readFile(path.join(ROOT, 'hosting/home/rwgps-maintenance-tracker.service'), 'utf8')
  process.stdout.write(unit.replace(/^(ExecStart=)\S+/m, `$1${command}`))
})
