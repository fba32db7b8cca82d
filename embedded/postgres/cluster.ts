import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../port.ts'
import { StartError } from '../settings.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { DatabaseInUse, lockState } from './lock.ts'
import { processUser, type ProcessUser } from './process-user.ts'

/** The npm package's PostgreSQL major version. Other versions can't read its files. */
const MAJOR = '17'

// Linux allows 107 bytes for a socket path, macOS 103.
const MAX_SOCKET_PATH_BYTES = 103
const PORT = 5432
const SOCKET = `.s.PGSQL.${PORT}`
// PostgreSQL recycles old WAL segments, so on a full disk, writes only fail when tables have to grow.
const WAL_SEGMENT_MB = 4
const POLL_MS = 10
const MOVED_POLL_MS = 1000
const RETRY_MS = 100
// A tracker takes the lock within milliseconds of starting the server. A server without a lock for this long is an orphan.
const ORPHAN_MS = 5000
// PostgreSQL needs a moment to notice that a tracker was killed. Until then, the killed tracker still holds the lock.
const RELEASE_MS = 500
// Long enough for a server to finish starting or stopping.
const STOP_MS = 60_000
// If a backend crashed just before a stop, PostgreSQL 17 waits forever and ignores everything but an immediate stop.
const QUIT_MS = 5000
const KILL_MS = 2000
// The tracker that stops the server ends it before.
const ABANDONED_MS = QUIT_MS + 2 * KILL_MS
// Commands at once take turns. Long enough for backups and restores.
const COMMAND_MS = 10 * 60_000

const SETTINGS = {
  // Years of rides are only a few megabytes, which the system caches anyway. Each session maps all of these buffers.
  shared_buffers: '3MB',
  // The background writer would use memory for all buffers. Checkpoints write the same pages anyway.
  bgwriter_lru_maxpages: '0',
  max_connections: '20',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Keep the owner's data out of the logs. Clients receive errors anyway.
  log_min_messages: 'fatal',
  log_line_prefix: '',
  // Turn off background work that only larger databases need.
  max_wal_senders: '0',
  wal_level: 'minimal',
  max_logical_replication_workers: '0',
  max_parallel_workers: '0',
}

// Prints PostgreSQL's process id, and stops it when the pipe from the tracker closes, which also happens after `kill -9`.
const UNTIL_STDIN_CLOSES = `
exec 3<&0
"$@" </dev/null >/dev/null 3<&- & server=$!
echo $server
{ while read -r _; do :; done; kill -INT $server; } <&3 & watch=$!
exec 3<&-
wait $server; code=$?
kill $watch 2>/dev/null
exit $code`

export interface Cluster {
  url: string
  /** Resolves with the last output if the server exits unexpectedly. */
  died: Promise<string>
  /** Resolves if the folder is moved or deleted. The server keeps running, but new connections fail. */
  moved: Promise<void>
  stop(): Promise<void>
}

interface Files {
  folder: string
  binaries: Binaries
  user: ProcessUser
}

/** Starts PostgreSQL in `folder`, creating a cluster if needed. Throws `DatabaseInUse` or another StartError if it can't start. */
export async function startCluster(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const binaries = await findBinaries(librariesFolder(folder))
  const user = processUser(binaries.postgres, path.dirname(folder))
  requireUsablePaths(folder, binaries)
  const files = { folder, binaries, user }
  if (!existsSync(folder)) await createCluster(files)
  await requireSameMajor(folder)
  for (;;) {
    await stopOrphan(files)
    const cluster = await serve(files, settings)
    if (cluster) {
      await removeUnfinished(folder)
      return cluster
    }
    await sleep(RETRY_MS)
  }
}

/** Throws a StartError for characters that PostgreSQL can't have in its own path or in the file with its process id. */
export function requireUsablePaths(folder: string, { postgres }: Pick<Binaries, 'postgres'>): void {
  const unusable = /["\r\n]/.test(postgres)
    ? path.dirname(postgres)
    : /[\r\n]/.test(folder)
      ? folder
      : undefined
  if (unusable === undefined) return
  throw new StartError(
    `PostgreSQL can't run in ${JSON.stringify(unusable)}, because the path has a double quote or a line break. Rename that folder.`,
  )
}

/** Returns the URL of the server running on `folder`, if any. */
export function findRunning(folder: string): string | undefined {
  const running = readPostmaster(folder)
  return running && isServing(running.pid, folder) ? running.url : undefined
}

/** Where links to libraries are if the package can't be written to. */
const librariesFolder = (folder: string) => `${folder}-libraries`

export async function copyCluster(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true })
  await processUser((await findBinaries(librariesFolder(to))).postgres, path.dirname(to)).own(to)
}

// Users' own copies have other names, so cleanup never deletes them.
const unfinishedPrefix = (folder: string) => `${folder}-initdb-`

/** Removes folders left by first starts that were killed or overtaken by a parallel start. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(path.dirname(folder))) {
    const other = path.join(path.dirname(folder), name)
    // Removing fails if another initdb is still adding files. The next start tries again.
    if (other.startsWith(unfinishedPrefix(folder))) await rm(other, REMOVE).catch(() => undefined)
  }
}
const REMOVE = { recursive: true, force: true }

// Creates the cluster under a temporary name, so it is either complete or missing.
async function createCluster({ folder, binaries, user }: Files): Promise<void> {
  const unfinished = await mkdtemp(unfinishedPrefix(folder))
  try {
    await user.own(unfinished)
    const auth = usesSocket()
      ? ['--auth=trust']
      : ['--auth=scram-sha-256', `--pwfile=${await createPassword(folder)}`]
    await runProgram({ binaries, user }, binaries.initdb, [
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      `--wal-segsize=${WAL_SEGMENT_MB}`,
      '--no-instructions',
      ...auth,
      unfinished,
    ])
    await rename(unfinished, folder)
  } catch (error) {
    // A parallel start was faster.
    if (existsSync(folder)) return
    const { stderr, message } = error as Error & { stderr?: string }
    const unknownUser = /could not look up effective user ID (\d+)/.exec(stderr ?? '')?.[1]
    if (unknownUser) {
      throw new StartError(
        `PostgreSQL can't create a database, because the user ${unknownUser} has no entry in /etc/passwd. Start the tracker as a user that has one. In a container, leave out --user, or mount the machine's /etc/passwd.`,
      )
    }
    throw new StartError(`PostgreSQL can't create a database in ${folder}: ${reasonIn(stderr) || message}`)
  } finally {
    await rm(unfinished, REMOVE)
  }
}

async function requireSameMajor(folder: string): Promise<void> {
  const major = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        `The database in ${folder} can't be read (${error.code}). Check who owns that folder, or restore a backup into an empty data folder.`,
      )
    },
  )
  if (major.trim() === MAJOR) return
  throw new StartError(
    `The database in ${folder} was created by PostgreSQL ${major.trim()}, and this version of the tracker uses ${MAJOR}. ` +
      'Back it up with the version that created it, and restore the backup into an empty data folder.',
  )
}

async function runProgram(
  { binaries, user }: Omit<Files, 'folder'>,
  program: string,
  args: string[],
): Promise<void> {
  const [first, ...rest] = [...user.prefix, program, ...args] as [string, ...string[]]
  await promisify(execFile)(first, rest, { cwd: '/', env: environmentOf(binaries), ...user.ids })
}

const stopServer = ({ folder, binaries, user }: Files) =>
  runProgram({ binaries, user }, binaries.pg_ctl, ['stop', '--mode=fast', '--no-wait', `--pgdata=${folder}`])

/** Waits until no server or command runs on the cluster. Stops an orphaned server. Throws DatabaseInUse if a tracker uses the cluster. */
async function stopOrphan({ folder, binaries, user }: Files): Promise<void> {
  let since = performance.now()
  let before = ''
  for (;;) {
    const running = readPostmaster(folder)
    // A server that has just started may not have written its id yet.
    const isStarting = running?.pid === 0 && performance.now() - since < ORPHAN_MS
    if (!running || !(isStarting || isServing(running.pid, folder))) {
      // PostgreSQL would mistake any process with the id in these files for a server, for example after a power failure. It
      // replaces the files of a process that has ended, so don't remove them: another start may have just written new ones.
      if (running && isAlive(running.pid)) rmSync(path.join(folder, 'postmaster.pid'), REMOVE)
      rmSync(path.join(folder, `${SOCKET}.lock`), REMOVE)
      return
    }
    // A stopping server accepts no connections.
    const state = isStarting || running.isStopping ? 'unreachable' : await lockState(running.url)
    const now = `${running.pid} ${state}`
    if (now !== before) since = performance.now()
    before = now
    const waited = performance.now() - since
    if ((state === 'tracker' && waited > RELEASE_MS) || (state === 'command' && waited > COMMAND_MS))
      throw new DatabaseInUse(`The data folder ${path.dirname(folder)}`)
    if (running.isStopping && waited > ABANDONED_MS) await end(running.pid)
    if (state !== 'command' && waited > STOP_MS) {
      throw new StartError(
        `PostgreSQL (process ${running.pid}) is still running on ${folder} but doesn't respond. Stop that process.`,
      )
    }
    if (state === 'free' && waited > ORPHAN_MS) {
      await stopServer({ folder, binaries, user })
    }
    await sleep(state === 'command' ? RETRY_MS : POLL_MS)
  }
}

/** Starts the server. Returns undefined if another start was faster or a killed server is still shutting down. */
async function serve(
  { folder, binaries, user }: Files,
  overrides: Record<string, string>,
): Promise<Cluster | undefined> {
  const { socketFolder, port, release } = await listenOn(folder, user)
  const settings = Object.entries({
    ...SETTINGS,
    ...overrides,
    port: String(port),
    listen_addresses: socketFolder ? '' : '127.0.0.1',
    // A list, whose quoted entries may contain commas.
    unix_socket_directories: socketFolder ? `"${socketFolder.replaceAll('"', '""')}"` : '',
  })
  const command = [
    ...user.prefix,
    binaries.postgres,
    '-D',
    folder,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const [program, ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', UNTIL_STDIN_CLOSES, 'sh', ...command]
  const child = spawn(program!, args, {
    cwd: '/',
    env: environmentOf(binaries),
    stdio: 'pipe',
    // Use a separate process group, so Ctrl-C only reaches the tracker, which stops PostgreSQL last.
    detached: true,
    windowsHide: true,
    ...user.ids,
  })
  const printed = lastLines(child)
  const ended = once(child, 'close').then(() => release?.())
  if (!(await isReady(folder, child, await serverPid(child)))) {
    await ended
    if (/lock file "postmaster.pid" (already exists|is empty)|is still in use/.test(printed()))
      return undefined
    if (printed().includes('administrative permissions'))
      throw new StartError("PostgreSQL can't run as an administrator. Start the tracker in another terminal.")
    throw new StartError(
      `PostgreSQL can't start on ${folder}: ${reasonIn(printed()) || 'it exited without a message'}`,
    )
  }
  let stopping = false
  const { pid, url } = readPostmaster(folder)!
  return {
    url,
    moved: whenMoved(folder, pid, ended),
    died: ended.then(() => (stopping ? new Promise<string>(() => undefined) : printed())),
    async stop() {
      stopping = true
      child.stdin.end()
      // Windows has no signals: ending the process would be a crash.
      if (process.platform === 'win32') await stopServer({ folder, binaries, user }).catch(() => undefined)
      const isStopped = await Promise.race([ended.then(() => true), sleep(QUIT_MS, false, { ref: false })])
      if (!isStopped) await end(pid)
      await ended
    },
  }
}

/** Resolves if `postmaster.pid` disappears while the server is running. */
function whenMoved(folder: string, pid: number, ended: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let wasThere = true
  const polling = setInterval(() => {
    const isThere = readPostmaster(folder)?.pid === pid
    // A stopping server removes the file just before it exits, so wait for a second poll.
    if (!isThere && !wasThere) resolve()
    wasThere = isThere
  }, MOVED_POLL_MS).unref()
  void ended.then(() => clearInterval(polling))
  return promise
}

/** Chooses where the server listens: a socket in its private folder, or loopback on Windows. */
async function listenOn(folder: string, user: ProcessUser) {
  if (!usesSocket()) return { socketFolder: undefined, port: await freePort() }
  if (Buffer.byteLength(path.join(folder, SOCKET)) <= MAX_SOCKET_PATH_BYTES) {
    return { socketFolder: folder, port: PORT }
  }
  const socketFolder = await mkdtemp(path.join(tmpdir(), 'tracker-postgres-'))
  await chmod(socketFolder, 0o700)
  await user.own(socketFolder)
  return { socketFolder, port: PORT, release: () => rm(socketFolder, { recursive: true, force: true }) }
}

// Node.js doesn't support Unix sockets on Windows.
const usesSocket = () => process.platform !== 'win32'

const passwordFile = (folder: string) => `${folder}-password`

async function createPassword(folder: string): Promise<string> {
  await writeFile(passwordFile(folder), randomBytes(32).toString('base64url'), { mode: 0o600 })
  return passwordFile(folder)
}

/** Ends a server that doesn't stop. Its data is safe: the next start recovers it, as after a crash. */
async function end(postmaster: number): Promise<void> {
  signal(postmaster, 'SIGQUIT')
  const since = performance.now()
  while (isAlive(postmaster) && performance.now() - since < KILL_MS) await sleep(POLL_MS)
  if (isAlive(postmaster)) for (const pid of [...childrenOf(postmaster), postmaster]) signal(pid, 'SIGKILL')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has just exited.
  }
}

/** Returns the ids of a process's children where they are known. A server's children also exit by themselves after it. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

/** Parses `postmaster.pid`, to which PostgreSQL writes its process id, folder, start time, port and socket folder. */
function readPostmaster(
  folder: string,
): { pid: number; isReady: boolean; isStopping: boolean; url: string } | undefined {
  let lines: string[]
  try {
    lines = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const [pid, , , port, socketFolder, , , status] = lines
  const url = new URL('postgresql://postgres@127.0.0.1/postgres')
  url.port = port ?? ''
  if (socketFolder) url.searchParams.set('host', socketFolder)
  else if (!usesSocket()) url.password = readFileSync(passwordFile(folder), 'utf8')
  const is = (name: string) => status?.trim() === name
  return { pid: Number(pid), isReady: is('ready'), isStopping: is('stopping'), url: url.href }
}

function serverPid({ pid, stdout }: ChildProcess): Promise<number> | number | undefined {
  if (process.platform === 'win32') return pid
  const { promise, resolve } = Promise.withResolvers<number>()
  stdout!.once('data', (line: Buffer) => resolve(Number(line)))
  stdout!.once('close', () => resolve(0))
  return promise
}

/** Waits until this server accepts connections, however long crash recovery lasts. Returns false if it exits. */
async function isReady(folder: string, child: ChildProcess, pid: number | undefined): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const running = readPostmaster(folder)
    // Another start may have been faster.
    if (running?.isReady && running.pid === pid) return true
    await sleep(POLL_MS)
  }
  return false
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns whether the process is the folder's server. Without /proc, true for any PostgreSQL, so callers also try to connect. */
export function isServing(pid: number, folder: string, platform = process.platform): boolean {
  if (platform !== 'linux') return isAlive(pid) && isPostgres(pid, platform)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

/** Returns whether the process is a PostgreSQL, or can't be looked up. */
function isPostgres(pid: number, platform: NodeJS.Platform): boolean {
  const [program, ...args] =
    platform === 'win32'
      ? (['tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'] as const)
      : (['ps', '-p', String(pid), '-o', 'comm='] as const)
  try {
    return /(^|[/"])postgres(\.exe"|$)/m.test(execFileSync(program, args, { encoding: 'utf8' }).trim())
  } catch {
    return true
  }
}

// Don't inherit variables such as PGDATA and PGPORT. A fixed trim threshold makes glibc return freed memory to the system. By
// default, the threshold grows with the largest freed block.
function environmentOf({ env }: Binaries): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env
  return {
    ...env,
    PATH,
    LC_ALL: 'C',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...(SystemRoot ? { SystemRoot } : {}),
  }
}

function lastLines(child: ChildProcess): () => string {
  let text = ''
  child.stderr!.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-2000)))
  return () => text.trim()
}

function reasonIn(text = ''): string | undefined {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC|error/.test(line)) ?? lines.at(-1)
}
