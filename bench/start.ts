// Measures the first and second `npm start` on a new data folder, and the memory (RSS) of all processes of `npm start` and of
// `npx` with the installed package.
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
import { type Process, processTree, statusOf } from '../tests/stress/memory.ts'
import { SIGN_IN } from '../tests/sync/ride-with-gps.ts'
import { report } from './measure.ts'
import { serveRides } from './ride-with-gps.ts'

const REST_MS = 60_000
const SAMPLE_MS = 20

export async function start(): Promise<void> {
  // Build the client before measuring, because that happens only once per version.
  await buildClient()
  const { folder, remove } = await temporaryFolder()
  try {
    const command = { program: 'npm', args: ['start'], cwd: '.', env: {}, data: folder }
    console.log('\nnpm start with the sample, all processes but npm')
    await measure('npm start', { ...command, counted: (tree) => tree.slice(1) }, [4, 1.5])
  } finally {
    await remove()
  }
}

interface Command {
  program: string
  args: string[]
  cwd: string
  env: Record<string, string>
  data: string
  whenReady?: (url: string) => Promise<unknown>
  /** Returns the processes whose memory counts, by default all. */
  counted?: (tree: Process[]) => Process[]
}

/** Starts the tracker and lets it rest for a minute, measuring the memory of its processes. */
async function measureStart({ counted = (tree) => tree, ...command }: Command) {
  const began = performance.now()
  const { program, args, cwd, data } = command
  const port = String(await freePort())
  const npm = spawn(program, args, {
    cwd,
    env: { ...process.env, ...BLANK_ENVIRONMENT, PORT: port, TRACKER_DATA_DIR: data, ...command.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak: Process[] = []
  const own = () => counted(processTree(npm.pid!))
  const sampling = setInterval(() => (peak = larger(peak, own())), SAMPLE_MS)
  let printed = ''
  for await (const text of npm.stdout.setEncoding('utf8')) if (/^Data:/m.test((printed += text))) break
  const seconds = (performance.now() - began) / 1000
  await command.whenReady?.(`http://127.0.0.1:${port}`)
  await sleep(REST_MS)
  clearInterval(sampling)
  const tree = own()
  npm.kill('SIGTERM')
  // npm exits without waiting for the tracker.
  while (tree.some(({ pid }) => statusOf(pid))) await sleep(SAMPLE_MS)
  return { seconds, peak: total(peak), rest: total(tree), peakParts: partsOf(peak), parts: partsOf(tree) }
}

const larger = (one: Process[], other: Process[]) => (total(other) > total(one) ? other : one)
const partsOf = (tree: Process[]) =>
  tree.map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)}`).join(', ')
const total = (tree: Process[]) => tree.reduce((sum, { megabytes }) => sum + megabytes, 0)

const MANY_RIDES = 20_000
const PEAK_MB = 350
const REST_MB = 280

const execute = promisify(execFile)

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
  const { folder, remove } = await temporaryFolder()
  try {
    console.log('\nMemory of npx rwgps-maintenance-tracker, all processes')
    report('installed size', (await install(folder)) / 2 ** 20, 'MB', 400)
    // Remove npm's additions to the path, so npx uses the user's Node.js.
    const PATH = process.env.PATH!.split(path.delimiter).filter((entry) => !entry.includes('node_modules'))
    const command = { program: 'npx', args: ['rwgps-maintenance-tracker'], cwd: folder }
    const userPath = { PATH: PATH.join(path.delimiter) }
    const sample = { ...command, env: userPath, data: path.join(folder, 'sample') }
    await measure('the sample and an assistant', { ...sample, whenReady: listTools })

    const rides = await serveRides({ rides: MANY_RIDES, latency: 0 })
    const data = path.join(folder, 'rides')
    const whenReady = async (url: string) => {
      const keys = await readFile(path.join(data, 'owner-keys.json'), 'utf8')
      const { scheduleKey } = JSON.parse(keys) as { scheduleKey: string }
      await syncRides(url, scheduleKey)
    }
    const env = { ...userPath, ...SIGN_IN, RWGPS_BASE_URL: rides.url }
    await measure(`${MANY_RIDES} rides and a sync`, { ...command, env, data, whenReady })
    await rides.close()
  } finally {
    await remove()
  }
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

/** Measures a first and a second start. `seconds` limits the time until each is ready. */
async function measure(name: string, command: Command, seconds?: [number, number]): Promise<void> {
  for (const [index, start] of ['first start', 'second start'].entries()) {
    const measured = await measureStart(command)
    if (seconds) report(`${name}, ${start}: to the ready line`, measured.seconds, 's', seconds[index])
    report(`${name}, ${start}: peak`, measured.peak, 'MB', PEAK_MB)
    console.log(`    ${measured.peakParts}`)
    report('  at rest after a minute', measured.rest, 'MB', REST_MB)
    console.log(`    ${measured.parts}`)
  }
}
