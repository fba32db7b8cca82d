import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { proxy } from 'hono/proxy'
import { hostsOf } from '../supabase/functions/_shared/channels/channel.ts'
import { CHANNELS } from '../supabase/functions/_shared/channels/list.ts'
import {
  FILE_PATH,
  MAX_BODY_BYTES as MAX_FILE_BODY_BYTES,
} from '../supabase/functions/_shared/files/limits.ts'
import { limitBody, MAX_BODY_BYTES } from './body-limit.ts'
import { installedFile, ROOT } from './installation.ts'
import type { LogOutput } from './log-file.ts'
import { FUNCTION_SECRETS, StartError } from './settings.ts'

// A bundle of the tracker has one of the functions beside it, which starts in two thirds of the CPU time.
const BUNDLE = fileURLToPath(import.meta.resolve('./functions.js'))
const PROGRAM = existsSync(BUNDLE)
  ? [`--allow-read=${path.dirname(BUNDLE).replaceAll(',', ',,')}`, '--no-config', '--no-npm', BUNDLE]
  : ['--config=supabase/functions/deno.json', 'embedded/functions-server.ts']

const VARIABLES = [
  // Variables that a Supabase project sets for its functions, including legacy names.
  'SUPABASE_URL',
  'SUPABASE_PUBLISHABLE_KEYS',
  'SUPABASE_SECRET_KEYS',
  'SUPABASE_PUBLISHABLE_KEY',
  'SUPABASE_SECRET_KEY',
  'SUPABASE_ANON_KEY',
  'SUPABASE_SERVICE_ROLE_KEY',
  ...FUNCTION_SECRETS,
  ...CHANNELS.flatMap(({ variables }) => variables),
  'TRACKER_URL',
  'SYNC_SECONDS',
  'RWGPS_SAVED_TOKEN',
]

/** The edge functions' process, which only runs while it is used. */
export interface Functions {
  /** Starts the functions if needed, then calls `send` with their URL. */
  use<T>(send: (url: string) => Promise<T>): Promise<T>
  /** Resolves if the functions exit unexpectedly too often. */
  died: Promise<void>
  stop(): Promise<void>
}

// Deno uses a quarter of the tracker's memory and restarts in a fraction of a second, so stop it when idle.
const IDLE_MS = 30_000
// Hosted Supabase's limit. Syncs stop earlier (SYNC_SECONDS).
const CALL_MS = 150_000
const START_MS = 60_000
const MAX_EXITS = 5
const EXITS_MS = 10 * 60_000

/** Starts the edge functions. They stop when idle and start again for the next request. Calls `onExit` after an unexpected exit. */
export async function startFunctions(
  environment: Record<string, string>,
  { idleMs = IDLE_MS, onExit, output }: { idleMs?: number; onExit?: () => void; output?: LogOutput } = {},
): Promise<Functions> {
  let server: Promise<FunctionsServer> | undefined
  let active = 0
  let idle: NodeJS.Timeout | undefined
  let exits: number[] = []
  let savedToken = ''
  const died = Promise.withResolvers<void>()

  function wake(): Promise<FunctionsServer> {
    const saveToken = (token: string) => (savedToken = token)
    server ??= startFunctionsServer(
      { ...environment, RWGPS_SAVED_TOKEN: savedToken },
      { saveToken, output },
    ).then((started) => {
      void started.died.then(restartLater)
      return started
    })
    // Starting fails if memory runs out. Try again with the next request.
    server.catch(() => (server = undefined))
    return server
  }
  function restartLater(): void {
    server = undefined
    const now = performance.now()
    exits = [...exits.filter((time) => now - time < EXITS_MS), now]
    if (exits.length > MAX_EXITS) return died.resolve()
    console.error('The edge functions stopped unexpectedly. They start again with the next request.')
    onExit?.()
  }
  async function sleep(): Promise<void> {
    const awake = server
    server = undefined
    await (await awake)?.stop()
  }
  async function use<T>(send: (url: string) => Promise<T>): Promise<T> {
    active++
    clearTimeout(idle)
    try {
      return await send((await wake()).url)
    } finally {
      active--
      if (active === 0) idle = setTimeout(() => void sleep(), idleMs).unref()
    }
  }

  await use(async () => undefined)
  return {
    use,
    died: died.promise,
    async stop() {
      clearTimeout(idle)
      await sleep()
    },
  }
}

export function callFunction(
  functions: Pick<Functions, 'use'>,
  request: Request,
  limitMs = CALL_MS,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  return limitBody(
    request,
    // The function only reads a file once its caller may add it.
    request.method === 'POST' && FILE_PATH.test(pathname) ? MAX_FILE_BODY_BYTES : MAX_BODY_BYTES,
    async (raw) => {
      const deadline = AbortSignal.timeout(limitMs)
      try {
        const signal = AbortSignal.any([raw.signal, deadline])
        return await functions.use((url) =>
          proxy(`${url}${pathname}${search}`, {
            raw,
            signal,
            customFetch(sent) {
              // The web server compresses the response, so Deno doesn't have to.
              sent.headers.set('accept-encoding', 'identity')
              return fetch(sent)
            },
          }),
        )
      } catch (error) {
        if (deadline.aborted) return failure(504, 'function_timeout', 'The function took too long to answer.')
        if (!raw.signal.aborted) console.error(`A function could not be called: ${(error as Error).message}`)
        return failure(503, 'functions_unavailable', 'The functions are restarting. Try again in a moment.')
      }
    },
    () => failure(413, 'too_large', 'The request body is too large.'),
  )
}

const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message }, { status })

interface FunctionsServer {
  url: string
  died: Promise<void>
  stop(): Promise<void>
}

/** Returns Deno's options for what the functions may use: only the hosts and variables that they need, and no files or programs. */
export function permissions(environment: Record<string, string>): string[] {
  const read = (name: string) => environment[name]
  const hosts = [
    ...['SUPABASE_URL', 'RWGPS_BASE_URL'].flatMap((name) => hostsOf(read, name)),
    ...CHANNELS.flatMap((channel) => channel.hosts(read)),
  ]
  return [`--allow-net=127.0.0.1:0,${hosts.join(',')}`, `--allow-env=${VARIABLES.join(',')}`]
}

/** Runs the edge functions under Deno. `saveToken` receives each Ride with GPS token as JSON, so the next process can reuse it. */
export async function startFunctionsServer(
  environment: Record<string, string>,
  {
    saveToken,
    output = console,
  }: { saveToken?: (token: string) => void; output?: LogOutput | undefined } = {},
): Promise<FunctionsServer> {
  const deno = spawn(
    findDeno(),
    [
      'run',
      '--quiet',
      // Keep the heap small for machines with little memory.
      '--v8-flags=--max-semi-space-size=1,--heap-growing-percent=20',
      '--no-prompt',
      '--cached-only',
      ...permissions(environment),
      ...PROGRAM,
    ],
    {
      cwd: ROOT,
      // Don't pass on the rest of the owner's environment.
      env: {
        ...inheritedEnvironment(),
        MALLOC_ARENA_MAX: '1',
        MALLOC_TRIM_THRESHOLD_: '131072',
        DENO_NO_UPDATE_CHECK: '1',
        NO_COLOR: '1',
        ...environment,
      },
      stdio: 'pipe',
      // Use a separate process group, so Ctrl-C only reaches the stack, which then stops this process.
      detached: true,
      windowsHide: true,
    },
  )
  createInterface({ input: deno.stderr }).on('line', (line) => output.error(line))
  const port = await listeningPort(deno, output, saveToken)
  let stopping = false
  return {
    url: `http://127.0.0.1:${port}`,
    died: once(deno, 'exit').then(() => (stopping ? new Promise<void>(() => undefined) : undefined)),
    async stop() {
      stopping = true
      if (deno.exitCode !== null || deno.signalCode !== null) return
      const exited = once(deno, 'exit')
      deno.stdin?.end()
      const timeout = setTimeout(() => deno.kill('SIGKILL'), 5000)
      await exited
      clearTimeout(timeout)
    },
  }
}

/** Returns the path of the Deno binary from npm. Throws a StartError if it isn't installed for this platform. */
export function findDeno(): string {
  const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`
  const found = installedFile(`@deno/${platform}`, process.platform === 'win32' ? 'deno.exe' : 'deno')
  if (found) return found
  throw new StartError(
    `Deno for ${platform} is not installed. Install the tracker again, without --omit=optional or with the package @deno/${platform}.`,
  )
}

function listeningPort(
  deno: ChildProcess,
  output: LogOutput,
  saveToken?: (token: string) => void,
): Promise<number> {
  const timeout = setTimeout(() => deno.kill('SIGKILL'), START_MS)
  return new Promise<number>((resolve, reject) => {
    deno.once('error', reject)
    deno.once('exit', (code) =>
      reject(new Error(`The edge functions didn't start (Deno exited with code ${code}).`)),
    )
    createInterface({ input: deno.stdout! }).on('line', (line) => {
      const [, key, value = ''] = /^\{"(listening|token)":(.+)\}$/.exec(line) ?? []
      if (key === 'listening') resolve(Number(value))
      else if (key === 'token') saveToken?.(value)
      else output.log(line)
    })
  }).finally(() => clearTimeout(timeout))
}

// Deno needs these variables to start, find its cache and create temporary files.
function inheritedEnvironment(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'LOCALAPPDATA',
    'XDG_CACHE_HOME',
    'DENO_DIR',
    'TMPDIR',
    'TEMP',
    'SystemRoot',
  ]
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
