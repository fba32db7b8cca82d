// Times `npm start` on a new data folder and then on the same one, and measures the memory of all its processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtClient } from '../embedded/client.ts'
import { freePort } from '../embedded/port.ts'
import { BLANK_ENVIRONMENT, temporaryFolder } from '../tests/running.ts'
import { report } from './measure.ts'

const REST_MS = 60_000
const SAMPLE_MS = 20

export async function start(): Promise<void> {
  // The build runs once per version, in its own process.
  await builtClient()
  const { folder, remove } = await temporaryFolder()
  try {
    const first = await measureStart(folder)
    const second = await measureStart(folder)
    console.log('\nnpm start with the sample')
    report('first start, to the ready line', first.seconds, 's', 4)
    report('second start', second.seconds, 's', 1.5)
    report('memory of all processes but npm (sum of RSS), first start: peak', first.peak, 'MB', 350)
    report('  at rest after a minute', first.rest, 'MB', 280)
    report('second start: peak', second.peak, 'MB', 350)
    report('  at rest after a minute', second.rest, 'MB', 280)
    console.log(`  at rest: ${first.parts}`)
  } finally {
    await remove()
  }
}

async function measureStart(folder: string) {
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, ...BLANK_ENVIRONMENT, PORT: String(await freePort()), TRACKER_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak = 0
  const own = () => processTree(npm.pid!).slice(1)
  const sampling = setInterval(() => (peak = Math.max(peak, total(own()))), SAMPLE_MS)
  let printed = ''
  for await (const text of npm.stdout.setEncoding('utf8')) if (/^Data:/m.test((printed += text))) break
  const seconds = (performance.now() - began) / 1000
  await sleep(REST_MS)
  clearInterval(sampling)
  const tree = own()
  process.kill(npm.pid!, 'SIGTERM')
  await once(npm, 'exit')
  const parts = tree.map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)}`).join(', ')
  return { seconds, peak, rest: total(tree), parts }
}

interface Process {
  name: string
  megabytes: number
}

const total = (tree: Process[]) => tree.reduce((sum, { megabytes }) => sum + megabytes, 0)

/** The process and its descendants, from Linux /proc. */
function processTree(root: number): Process[] {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statusOf(Number(pid)) ?? []) : []))
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

function statusOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '0'
    return {
      pid,
      parent: Number(field('PPid')),
      name: field('Name'),
      megabytes: Number(field('VmRSS')) / 1024,
    }
  } catch {
    // The process ended after the folder was read.
    return undefined
  }
}
