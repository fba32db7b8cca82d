import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../embedded/port.ts'
import { CHANNEL_VARIABLES } from '../embedded/settings.ts'
import { programFile, PROGRAMS } from './programs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The tracker's unbundled entry point. */
export const SOURCE = PROGRAMS.start

const startIn = (root: string) => (root === ROOT ? programFile('start') : SOURCE)

export interface Exit {
  code: number | null
  output: string
}

export interface Running {
  url: string
  pid: number
  output(): string
  /** Resolves when the output matches. */
  line(pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<Exit>
  stop(signal?: NodeJS.Signals): Promise<Exit>
}

// Overrides a developer's shell variables and supabase/functions/.env.
export const BLANK_ENVIRONMENT = {
  PORT: '',
  HOST: '',
  PUBLIC_URL: '',
  container: '',
  DATABASE_URL: '',
  OWNER_EMAIL: '',
  OWNER_PASSWORD: '',
  RIDES_REFRESH_CRON: '',
  RWGPS_API_KEY: '',
  RWGPS_EMAIL: '',
  RWGPS_PASSWORD: '',
  RWGPS_AUTH_TOKEN: '',
  RWGPS_USER_ID: '',
  RWGPS_BASE_URL: '',
  SCHEDULE_KEY: '',
  PUSH_BASE_URL: '',
  ...(Object.fromEntries(CHANNEL_VARIABLES.map((name) => [name, ''])) as Record<string, string>),
  SUPABASE_URL: '',
  SUPABASE_PUBLISHABLE_KEY: '',
  TRACKER_URL: '',
  VAPID_PUBLIC_KEY: '',
}

export async function start(
  environment: Record<string, string>,
  root = ROOT,
  program = startIn(root),
): Promise<Running> {
  const port = environment.PORT ?? String(await freePort())
  const { child, output, ended } = launch({ ...environment, PORT: port }, root, program)
  const line = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const found = output().match(pattern)
        if (found) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      look()
      void ended.then(({ output }) => reject(new Error(`The stack exited before ${pattern}:\n${output}`)))
    })
  await line(/^Data: .+$/m)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    output,
    line,
    ended,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

export async function startAndWaitForExit(environment: Record<string, string>, root = ROOT): Promise<Exit> {
  const { ended } = launch({ PORT: String(await freePort()), ...environment }, root)
  return ended
}

export function launch(environment: Record<string, string>, root = ROOT, program = startIn(root)) {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...process.env, ...BLANK_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Kill the stack when the test runner exits, because a test that times out doesn't stop it.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  const printed: string[] = []
  const output = () => printed.join('')
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => printed.push(text))
  return { child, output, ended: end(child, output) }
}

async function end(child: ChildProcess, output: () => string): Promise<Exit> {
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

// Databases create and delete thousands of files, so keeping them in memory halves the CPU time. Containers may have only
// 64 MB of shared memory.
const MEMORY = '/dev/shm'
const hasMemory = () => {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= 2 ** 31
}
const TEMPORARY = hasMemory() ? MEMORY : tmpdir()

/** Creates a temporary folder. `remove` retries, because PostgreSQL may still be shutting down after its tracker was killed. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(TEMPORARY, 'tracker-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 50 }) }
}
