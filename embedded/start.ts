// Runs `npm start` and, with --dev, `npm run dev`.
import path from 'node:path'
import { readCommandLine, runCommand } from './command-line.ts'
import { protectSecrets } from './data-folder.ts'
import { commandLine, isPackage } from './installation.ts'
import { createHeldLog, createLogFile, type LogOutput } from './log-file.ts'
import { isConnectionError } from './sessions.ts'
import { misplacedSettings, readSettings, secretsFile, type Settings } from './settings.ts'
import { startStack, type Stack } from './stack.ts'

const LOG_FILE = 'functions.log'
const { values } = readCommandLine({
  name: 'start',
  about: `Starts the tracker and prints its address. Ctrl-C stops it. In a terminal, the functions log to ${LOG_FILE} in the data folder, or to the screen with --verbose. Otherwise, they log to standard error.`,
  usage: isPackage ? '[--verbose]' : '[-- --verbose]',
  options: { dev: { type: 'boolean' }, verbose: { type: 'boolean' } },
})

// Ignore write errors, so the tracker keeps running after `npm start | head`, or with output redirected to a full disk. The
// console only handles write errors up to 16 kB.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

// Ctrl-C reaches this process twice, from the terminal and from npm. Without a listener, the second signal would end Node.js
// before the database is closed.
const stopped = new Promise<void>((resolve) => {
  process.on('SIGINT', () => resolve())
  process.on('SIGTERM', () => resolve())
  // Closing the terminal on Windows. Elsewhere, it ends the tracker unless nohup prevents that.
  if (process.platform === 'win32') process.on('SIGHUP', () => resolve())
})
// npm runs this in a shell that doesn't pass on SIGTERM. Stop when the shell is gone, so killing npm stops the tracker, too.
const SHELL_POLL_MS = 250
const shell = process.ppid
const shellGone = new Promise<void>((resolve) => {
  if (!process.env.npm_lifecycle_event) return
  setInterval(() => process.ppid !== shell && resolve(), SHELL_POLL_MS).unref()
})
// Limit how long a stop can hang. PostgreSQL has already saved all committed data.
const limitStop = () => setTimeout(() => process.exit(1), 10_000).unref()
// This also ends a tracker that is still starting.
void Promise.race([stopped, shellGone]).then(limitStop)

// If a connection breaks during a write, the PostgreSQL driver throws from a timer (porsager/postgres#1208), and other
// requests may hang. Wait briefly: if PostgreSQL itself stopped, that error is more useful.
const REPORT_DELAY_MS = 500
const failed = new Promise<never>((_, reject) => {
  process.on('uncaughtException', (error, origin) => {
    // If connecting fails, the driver also rejects an internal promise. The session is replaced anyway.
    if (origin === 'unhandledRejection' && isConnectionError(error)) return
    setTimeout(() => reject(error), REPORT_DELAY_MS)
  })
})

await runCommand(async () => {
  const settings = readSettings(process.env, { dev: values.dev ?? false })
  const misplaced = misplacedSettings(process.env)
  if (misplaced) console.error(misplaced)
  await protectSecrets(secretsFile(process.env))
  const { log, place, release } = openLog(settings)
  void Promise.race([stopped, shellGone]).then(release)
  const stack = await startStack(settings, log, place)
    .then((started) => {
      printReady(started, settings)
      return started
    })
    .finally(release)
  await Promise.race([stopped, shellGone, stack.died, failed]).finally(() => {
    limitStop()
    return stack.stop()
  })
})

type Log = { log: LogOutput; place: string; release?: () => void }

/** Opens the functions' log: a file on a terminal, else standard error, once the lines that a rider needs are printed. */
function openLog({ dataFolder }: Settings): Log {
  if (values.verbose || values.dev) return { log: console, place: 'above' }
  if (process.stdout.isTTY) {
    const file = path.join(dataFolder, LOG_FILE)
    return { log: createLogFile(file), place: `in ${file}` }
  }
  const log = createHeldLog()
  return { log, place: 'above', release: log.release }
}

function printReady({ url, addresses, owner }: Stack, { account, dataFolder }: Settings): void {
  if (account === 'sample') {
    console.log(`This is sample data. To use your rides, run ${commandLine('connect')} and start again.`)
  }
  console.log(`Ready: ${url}`)
  for (const address of addresses) console.log(`Other devices: ${address}`)
  console.log(`E-mail: ${owner.email}`)
  if (owner.password !== undefined) console.log(`Password: ${owner.password}`)
  if (owner.keepsPassword) {
    console.log(
      'OWNER_PASSWORD was not used, because the account has another password. Change it in the settings.',
    )
  }
  console.log(`Data: ${dataFolder}`)
}
