// `npm run stress:load -- [--seconds 60] [--syncs 30] [--seed spoke] [--minutes 6] [--within 1000]`: fifty readers and five
// writers use the log during constant syncs, while strangers send the most expensive requests. A series of syncs follows.
// No owner request may fail, no acknowledged write may be lost or overwritten, health checks and simultaneous reads
// must finish within `--within` milliseconds, and memory may not grow by more than a fifth over the series.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFor } from '../../sample/random.ts'
import { countRows, signIn, type OwnerClient } from '../owner.ts'
import { start, temporaryFolder } from '../running.ts'
import { attack } from './hostile.ts'
import { memoryOf, type Memory } from './memory.ts'
import { deleteRides, keysOf, sync, syncFaults } from './syncs.ts'
import { Writes } from './writes.ts'

const READERS = 50
const WRITERS = 5
const STRANGERS = 4
const PROBE_MS = 250
const GROWTH = 1.2

/**
 * Memory grows by a few MB per sync until garbage collection frees up to half of it, so the median of the first samples
 * is compared with the minimum of the last samples. With a leak, memory never drops back that far.
 */
const SAMPLES = 10

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    syncs: { type: 'string', default: '30' },
    seed: { type: 'string', default: 'spoke' },
    minutes: { type: 'string', default: '6' },
    within: { type: 'string', default: '1000' },
  },
})
console.log(`Seed ${values.seed}`)
const timeLimit = setTimeout(
  () => {
    console.error(`Not done after ${values.minutes} minutes`)
    process.exit(1)
  },
  Number(values.minutes) * 60_000,
)
const { folder, remove } = await temporaryFolder()
const stack = await start({ TRACKER_DATA_DIR: folder, RIDES_REFRESH_CRON: '' })
const [owner, keys] = await Promise.all([signIn(stack.url), keysOf(folder)])
const rides = await countRows(owner, 'rides')
const { data: bikes } = await owner.from('bikes').select('gear_id')
const faults: string[] = []

const writes = new Writes()
const until = Date.now() + Number(values.seconds) * 1000
const isRunning = () => Date.now() < until
const bikeOf = (index: number) => bikes![index % bikes!.length]!.gear_id
const [attacks, slowest, reads, , syncs] = await Promise.all([
  Promise.all(Array.from({ length: STRANGERS }, (_, index) => attackRepeatedly(index))),
  probe(),
  Promise.all(Array.from({ length: READERS }, (_, index) => readLog(owner, bikeOf(index)))),
  Promise.all(Array.from({ length: WRITERS }, (_, index) => writeLog(index))),
  syncRepeatedly(),
])
faults.push(...(await syncFaults(owner, rides)), ...(await writes.faults(owner)))

const latencies = reads.flat().toSorted((a, b) => a - b)
const percentile = (share: number) => latencies[Math.floor(latencies.length * share)]!.toFixed(0)
console.log(
  `${values.seconds} s: ${latencies.length} reads (p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms), ` +
    `${writes.acknowledged} writes, ${syncs} syncs of ${rides} rides, ${attacks.reduce((sum, count) => sum + count, 0)} requests from strangers, ` +
    `health in ${slowest.health.toFixed(0)} ms and a read in ${slowest.read.toFixed(0)} ms at most`,
)
const samples: Memory[] = []
for (let count = 0; count < Number(values.syncs); count++) {
  await syncOnce()
  samples.push(memoryOf(stack.pid))
}
const before = summary(samples.slice(0, SAMPLES), (sorted) => sorted[Math.floor(sorted.length / 2)]!)
const after = summary(samples.slice(-SAMPLES), (sorted) => sorted[0]!)
console.log(`After the load: ${describe(before)}`)
console.log(`After ${values.syncs} more syncs: ${describe(after)}`)
for (const name of ['stack', 'functions'] as const) {
  if (after[name] > before[name] * GROWTH)
    faults.push(`${name} grew from ${before[name]} to ${after[name]} MB`)
}

await stack.stop()
await remove()
clearTimeout(timeLimit)
console.log(`${faults.length} faults`)
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

/** Resolves to each read's time, in milliseconds. */
async function readLog(reader: OwnerClient, bikeId: number): Promise<number[]> {
  const times: number[] = []
  while (isRunning()) {
    const started = performance.now()
    const { error } = await reader
      .from('maintenance')
      .select('id, type, name, description, cost, dateStarted, dateEnded')
      .eq('bikeId', bikeId)
      .order('dateStarted')
      .order('id')
    times.push(performance.now() - started)
    if (error) faults.push(`a read failed: ${error.message}`)
  }
  return times
}

async function attackRepeatedly(index: number): Promise<number> {
  const random = randomFor(`${values.seed}, stranger ${index}`)
  const attacked = await attack(stack.url, keys.publishableKey, random, isRunning)
  faults.push(...attacked.faults)
  return attacked.count
}

/** Resolves to the slowest times, in milliseconds. */
async function probe() {
  const slowest = { health: 0, read: 0 }
  const time = async (what: keyof typeof slowest, work: () => Promise<boolean>) => {
    const started = performance.now()
    const isOk = await work()
    const ms = performance.now() - started
    slowest[what] = Math.max(slowest[what], ms)
    if (!isOk) faults.push(`the probe of ${what} failed`)
    if (ms > Number(values.within)) faults.push(`the probe of ${what} took ${ms.toFixed(0)} ms`)
  }
  for (; isRunning(); await sleep(PROBE_MS)) {
    await time('health', async () => (await fetch(`${stack.url}/healthz`)).ok)
    await time('read', async () => (await owner.from('maintenance').select('id').limit(20)).error === null)
  }
  return slowest
}

async function writeLog(index: number): Promise<void> {
  const written = await writes.write(
    owner,
    bikeOf(index),
    randomFor(`${values.seed}, writer ${index}`),
    isRunning,
  )
  if (!written) faults.push(`a write of writer ${index + 1} failed`)
}

async function syncRepeatedly(): Promise<number> {
  let count = 0
  for (; isRunning(); count++) await syncOnce()
  return count
}

async function syncOnce(): Promise<void> {
  if (!(await deleteRides(stack.url, keys))) faults.push('deleting the rides failed')
  const status = await sync(stack.url, keys)
  if (status !== 200) faults.push(`a sync returned ${status}`)
}

function summary(samples: Memory[], choose: (sorted: number[]) => number): Memory {
  const of = (name: keyof Memory) =>
    choose(samples.map((sample) => sample[name]).toSorted((one, other) => one - other))
  return { stack: of('stack'), functions: of('functions') }
}

function describe({ stack, functions }: Memory): string {
  return `the stack uses ${stack} MB, its functions ${functions} MB`
}
