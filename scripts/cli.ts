// The installed package's commands. In a clone, npm scripts run the same commands, except for `start`.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../embedded/installation.ts'

const COMMANDS: Record<string, () => Promise<unknown>> = {
  start: () => import('../embedded/start.ts'),
  connect: () => import('./connect.ts'),
  doctor: () => import('./doctor.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  'switch-account': () => import('./switch-account.ts'),
  unit: () => import('./unit.ts'),
}

const HELP = `Usage: rwgps-maintenance-tracker [command]

  start [--verbose]          start the tracker (the default)
  connect [--print]          connect a Ride with GPS account
  doctor                     check the setup and say how to fix problems
  backup [file]              back up all data
  restore file [--replace]   restore a backup
  switch-account             accept another Ride with GPS account
  unit                       print a systemd unit that runs the tracker
  --help                     show this help
  --version                  show the version

PORT, HOST, PUBLIC_URL, TRACKER_DATA_DIR and other environment variables are
described in ${path.join(ROOT, 'README.md')}`

const [name = 'start'] = process.argv.splice(2, 1)
if (name === '--help' || name === '-h' || name === 'help') {
  console.log(HELP)
} else if (name === '--version' || name === '-v') {
  const manifest = readFileSync(path.join(ROOT, 'package.json'), 'utf8')
  console.log((JSON.parse(manifest) as { version: string }).version)
} else if (Object.hasOwn(COMMANDS, name)) {
  if (name !== 'start') await import('../embedded/end-first.ts')
  await COMMANDS[name]!()
} else {
  console.error(`There is no command ${JSON.stringify(name)}. Run rwgps-maintenance-tracker --help.`)
  process.exitCode = 1
}
