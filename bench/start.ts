// Measures the first and second `npm start` on a new data folder, and the memory of all processes of `npm start` and of `npx` with
// the installed package, which includes npm.
import { execFile, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { buildClient } from '../embedded/client.ts'
import { freePort } from '../embedded/port.ts'
import { syncRides } from '../embedded/stack.ts'
import { createToken } from '../supabase/functions/_shared/http/tokens.ts'
import { signIn } from '../tests/owner.ts'
import { BLANK_ENVIRONMENT, temporaryFolder } from '../tests/running.ts'
import { type Process, countedOnce, statusOf } from '../tests/stress/memory.ts'
import { SIGN_IN } from '../tests/sync/ride-with-gps.ts'
import { report } from './measure.ts'
import { serveRides } from './ride-with-gps.ts'

const execute = promisify(execFile)

const REST_MS = 5 * 60_000
const SAMPLE_MS = 250

/** Builds what the first start of a version builds. */
async function build(): Promise<void> {
  await buildClient()
  await execute('npm', ['start', '--', '--help'])
}

export async function start(): Promise<void> {
  await build()
  const { folder, remove } = await temporaryFolder()
  try {
    const command = { program: 'npm', args: ['start'], cwd: '.', env: {}, data: folder }
    console.log('\nnpm start with the sample, all processes')
    await measure('npm start', command, LIMITS, [4, 1.2])
  } finally {
    await remove()
  }
}

interface Command {
  program: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  data: string
  whenReady?: (url: string) => Promise<unknown>
}

/** Starts the tracker and lets it rest, measuring the memory of its processes and how soon it answers then. */
async function measureStart(command: Command, restMs: number) {
  const began = performance.now()
  const { program, args, cwd, data } = command
  const port = String(await freePort())
  const npm = spawn(program, args, {
    cwd,
    env: { ...process.env, ...BLANK_ENVIRONMENT, PORT: port, TRACKER_DATA_DIR: data, ...command.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak: Process[] = []
  const own = () => countedOnce(npm.pid!)
  const sampling = setInterval(() => (peak = larger(peak, own())), SAMPLE_MS)
  let printed = ''
  for await (const text of npm.stdout.setEncoding('utf8')) if (/^Data:/m.test((printed += text))) break
  const seconds = (performance.now() - began) / 1000
  const url = `http://127.0.0.1:${port}`
  await command.whenReady?.(url)
  await sleep(restMs)
  clearInterval(sampling)
  const tree = own()
  // Needs the database, Auth and the functions.
  const rested = performance.now()
  await (await fetch(`${url}/healthz`)).arrayBuffer()
  const wakeMs = performance.now() - rested
  npm.kill('SIGTERM')
  // npm exits without waiting for the tracker.
  while (tree.some(({ pid }) => pid !== 0 && statusOf(pid))) await sleep(SAMPLE_MS)
  return { seconds, peak, tree, wakeMs }
}

const larger = (one: Process[], other: Process[]) => (total(other) > total(one) ? other : one)
const partsOf = (tree: Process[]) =>
  tree.map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)}`).join(', ')
const total = (tree: Process[]) => tree.reduce((sum, { megabytes }) => sum + megabytes, 0)

const MANY_RIDES = 20_000
interface Limits {
  peakMb: number
  restMb: number
}
const LIMITS: Limits = { peakMb: 260, restMb: 150 }
const SYNC_LIMITS: Limits = { ...LIMITS, peakMb: 350 }
const WAKE_MS = 400

/** Loads what assistants need. */
async function listTools(url: string): Promise<void> {
  const token = createToken()
  const owner = await signIn(url)
  await owner.rpc('create_token', { token, name: 'Bench', scope: 'read', days: 90 }).throwOnError()
  const response = await fetch(`${url}/functions/v1/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  if (!response.ok) throw new Error(await response.text())
}

export async function memory(): Promise<void> {
  await build()
  const { folder, remove } = await temporaryFolder()
  try {
    console.log('\nMemory of all processes: npx with the package, then npm start')
    report('installed size', (await install(folder)) / 2 ** 20, 'MB', 400)
    const command = { program: 'npx', args: ['rwgps-maintenance-tracker'], cwd: folder, env: userOfNpx() }
    const sample = { ...command, data: path.join(folder, 'sample') }
    await measure('the sample and an assistant', { ...sample, whenReady: listTools }, LIMITS)

    const rides = await serveRides({ rides: MANY_RIDES, latency: 0 })
    const data = path.join(folder, 'rides')
    const whenReady = async (url: string) => {
      const keys = await readFile(path.join(data, 'owner-keys.json'), 'utf8')
      const { scheduleKey } = JSON.parse(keys) as { scheduleKey: string }
      await syncRides(url, scheduleKey)
    }
    const env = { ...SIGN_IN, RWGPS_BASE_URL: rides.url }
    const start = { program: 'npm', args: ['start'], cwd: '.', env, data, whenReady }
    await measure(`npm start, ${MANY_RIDES} rides and a sync`, start, SYNC_LIMITS)
    await rides.close()
  } finally {
    await remove()
  }
}

/** Returns the environment of a user with a current Node.js, without what npm added to this one. */
function userOfNpx() {
  const folders = process.env.PATH!.split(path.delimiter).filter((entry) => !entry.includes('node_modules'))
  const PATH = [path.dirname(process.execPath), ...folders].join(path.delimiter)
  return { PATH, npm_config_user_agent: undefined }
}

/** Builds the npm package and installs it without development dependencies. Returns the installed size in bytes. */
async function install(folder: string): Promise<number> {
  await execute('npm', ['pack', '--silent', '--pack-destination', folder])
  const [file] = await readdir(folder)
  await execute('npm', [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    `--prefix=${folder}`,
    path.join(folder, file!),
  ])
  const { stdout } = await execute('du', ['-sb', path.join(folder, 'node_modules')])
  return Number.parseInt(stdout, 10)
}

/** Measures a first and a second start, and the second at rest. `seconds` limits the time until each is ready. */
async function measure(
  name: string,
  command: Command,
  { peakMb, restMb }: Limits,
  seconds?: [number, number],
): Promise<void> {
  for (const [index, start] of ['first start', 'second start'].entries()) {
    const measured = await measureStart(command, index === 0 ? 0 : REST_MS)
    if (seconds) report(`${name}, ${start}: to the ready line`, measured.seconds, 's', seconds[index])
    report(`${name}, ${start}: peak`, total(measured.peak), 'MB', peakMb)
    console.log(`    ${partsOf(measured.peak)}`)
    if (index === 0) continue
    report('  at rest after five minutes', total(measured.tree), 'MB', restMb)
    console.log(`    ${partsOf(measured.tree)}`)
    report('  the next request', measured.wakeMs, 'ms', WAKE_MS)
  }
}
