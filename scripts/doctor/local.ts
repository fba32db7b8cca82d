import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  accountPrefix,
  readRunningStack,
  refuseOldFormat,
  type RunningStack,
} from '../../embedded/data-folder.ts'
import { commandLine } from '../../embedded/installation.ts'
import { isPortFree } from '../../embedded/port.ts'
import { findRunning } from '../../embedded/postgres/cluster.ts'
import { requireUsable } from '../../embedded/postgres/external.ts'
import { clusterFolderOf } from '../../embedded/postgres/server.ts'
import {
  readTargets,
  requireScheduleKey,
  secretsFile,
  type Settings,
  whichAccount,
} from '../../embedded/settings.ts'
import { type CheckResult, ok, problem, request, warning } from './check.ts'
import { FUNCTIONS } from './hosted-project.ts'

type Account = Settings['account']
type Secrets = Record<string, string>

/** Returns the tracker that is running on a data folder; undefined if there isn't one or it is starting or stopping. */
export async function findTracker(dataFolder: string): Promise<RunningStack | undefined> {
  const running = await readRunningStack(dataFolder)
  return running && (await isTracker(running.url)) ? running : undefined
}

/** Returns whether a tracker runs at the URL. Its config must name that URL as the backend. */
async function isTracker(url: string): Promise<boolean> {
  const config = await request(`${url}/config.json`)
  return (config?.body as { supabaseUrl?: unknown } | null | undefined)?.supabaseUrl === url
}

export async function* checkPort(
  port: number,
  tracker: RunningStack | undefined,
): AsyncIterable<CheckResult> {
  const url = `http://127.0.0.1:${port}`
  if (tracker?.url === url) {
    yield ok(`${port} is used by the running tracker: ${url}`)
  } else if (!(await isPortFree(port))) {
    const user = (await isTracker(url)) ? 'a tracker with another data folder' : 'another program'
    yield problem(`${port} is taken by ${user}. Stop it, or set PORT to another number.`)
  } else {
    yield ok(tracker ? `${port} is free; the tracker runs at ${tracker.url}.` : `${port} is free.`)
  }
}

/** Checks whether the data folder is usable and which tracker uses it. Opens and writes nothing. */
export async function* checkDataFolder(
  dataFolder: string,
  secrets: Secrets,
  tracker: RunningStack | undefined,
): AsyncIterable<CheckResult> {
  const account = accountOf(secrets)
  const keys = `${accountPrefix({ dataFolder, account })}-keys.json`
  const cluster = clusterFolderOf({ dataFolder })
  const error = await writeErrorOf(nearestExisting(dataFolder))
  if (error) {
    yield problem(
      `${dataFolder} can't be written to (${error}). Check its disk space and permissions, or set TRACKER_DATA_DIR to another folder.`,
    )
    return
  }
  if (!existsSync(cluster)) refuseOldFormat({ dataFolder, account })

  if (tracker && tracker.account !== account) {
    yield warning(
      `${dataFolder} is used by the running tracker with ${dataOf(tracker.account)}. Restart it to see ${dataOf(account)}.`,
    )
  } else if (tracker) {
    yield ok(`${dataFolder} is used by the running tracker with ${dataOf(account)}.`)
  } else if (findRunning(cluster)) {
    yield warning(
      `${dataFolder} is in use by a tracker that is starting, stopping or stuck. Wait, or stop it.`,
    )
  } else if (existsSync(keys)) {
    yield ok(`${dataFolder} has ${dataOf(account)}.`)
  } else {
    yield ok(`${dataFolder} has no data yet. ${commandLine('start')} creates it with ${dataOf(account)}.`)
  }
  yield* checkFileModes([keys, secretsFile(process.env)])
}

// Incomplete credentials belong to the owner's account. Another check reports them.
function accountOf(secrets: Secrets): Account {
  try {
    return whichAccount(secrets)
  } catch {
    return 'owner'
  }
}

const dataOf = (account: Account) => (account === 'sample' ? 'sample data' : 'your own data')

function nearestExisting(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder
    ? folder
    : nearestExisting(path.dirname(folder))
}

/** Returns the error code if the folder isn't writable, even on a read-only file system. */
async function writeErrorOf(folder: string): Promise<string | undefined> {
  if (!(await stat(folder)).isDirectory()) return 'ENOTDIR'
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
}

/** Warns if other users can read a file with secrets. Skipped on Windows, which has no file modes. */
async function* checkFileModes(files: string[]): AsyncIterable<CheckResult> {
  if (process.platform === 'win32') return
  for (const file of files.filter((file) => existsSync(file))) {
    const { mode } = await stat(file)
    if (mode & 0o077) yield warning(`Other users of this machine can read ${file}. Run chmod 600 ${file}.`)
  }
}

/** Checks the database at DATABASE_URL as a start does. Changes nothing. */
export async function* checkDatabase(url: string, secrets: Secrets): AsyncIterable<CheckResult> {
  await requireUsable(url, accountOf(secrets))
  yield ok(`DATABASE_URL points to a database that the tracker can use for ${dataOf(accountOf(secrets))}.`)
}

export function* checkSchedule(cron: string | null, secrets: Secrets): Iterable<CheckResult> {
  requireScheduleKey(secrets)
  yield ok(cron === null ? 'Rides only sync by hand.' : `Rides sync automatically: ${cron}`)
}

/** Checks the settings of the channels for notifications. Sends nothing. */
export function* checkChannels(secrets: Secrets): Iterable<CheckResult> {
  for (const { about } of readTargets(secrets)) yield ok(`${about}.`)
}

/** Checks the functions with requests that don't need a sign-in and aren't logged. */
export async function* checkFunctions({ url, warnings }: RunningStack): AsyncIterable<CheckResult> {
  for (const text of warnings) yield warning(text)
  for (const name of FUNCTIONS) {
    const reply = await request(`${url}/functions/v1/${name}`, { method: 'OPTIONS' })
    yield reply?.status === 204
      ? ok(`${name} responds.`)
      : problem(`${name} does not respond. Restart the tracker.`)
  }
}
