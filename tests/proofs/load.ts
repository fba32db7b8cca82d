// `npm run proof:load -- [--seconds 60] [--syncs 30]`: fifty readers and five writers on the log while rides are refreshed without a
// pause, then refreshes one after the other. No request may fail, no acknowledged write may be lost or overwritten, and
// memory may not grow by more than a fifth over the refreshes.
import { parseArgs } from 'node:util'
import { randomFor } from '../../sample/random.ts'
import { countRows, signIn, type OwnerClient } from '../owner.ts'
import { start, temporaryFolder } from '../running.ts'
import { memoryOf, type Memory } from './memory.ts'
import { forgetRides, keysOf, refresh, syncFaults } from './syncs.ts'
import { Writes } from './writes.ts'

const READERS = 50
const WRITERS = 5
const GROWTH = 1.2

/**
 * What is held goes up by a few MB with each refresh and down again when it is collected, by up to half. At the start the middle of
 * as many samples counts, at the end the least of as many: a leak would not come back to it.
 */
const SAMPLES = 10

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, syncs: { type: 'string', default: '30' } },
})
const { folder, remove } = await temporaryFolder()
const stack = await start({ TRACKER_DATA_DIR: folder, RIDES_REFRESH_CRON: '' })
const [owner, keys] = await Promise.all([signIn(stack.url), keysOf(folder)])
const rides = await countRows(owner, 'rides')
const { data: bikes } = await owner.from('bikes').select('gear_id')
const faults: string[] = []

const writes = new Writes()
const until = Date.now() + Number(values.seconds) * 1000
const goOn = () => Date.now() < until
const bikeOf = (index: number) => bikes![index % bikes!.length]!.gear_id
const [reads, , syncs] = await Promise.all([
  Promise.all(Array.from({ length: READERS }, (_, index) => readLog(owner, bikeOf(index)))),
  Promise.all(Array.from({ length: WRITERS }, (_, index) => writeLog(index))),
  syncForWhile(),
])
faults.push(...(await syncFaults(owner, rides)), ...(await writes.faults(owner)))

const latencies = reads.flat().toSorted((a, b) => a - b)
const percentile = (share: number) => latencies[Math.floor(latencies.length * share)]!.toFixed(0)
console.log(
  `${values.seconds} s: ${latencies.length} reads (p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms), ` +
    `${writes.acknowledged} writes, ${syncs} refreshes of ${rides} rides`,
)
const held: Memory[] = []
for (let count = 0; count < Number(values.syncs); count++) {
  await syncOnce()
  held.push(memoryOf(stack.pid))
}
const before = summary(held.slice(0, SAMPLES), (sorted) => sorted[Math.floor(sorted.length / 2)]!)
const after = summary(held.slice(-SAMPLES), (sorted) => sorted[0]!)
console.log(`After the load: ${describe(before)}`)
console.log(`After ${values.syncs} refreshes more: ${describe(after)}`)
for (const part of ['stack', 'functions'] as const) {
  if (after[part] > before[part] * GROWTH)
    faults.push(`${part} grew from ${before[part]} to ${after[part]} MB`)
}

await stack.stop()
await remove()
console.log(`${faults.length} faults`)
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

/** Reads a bike's log as the screen does, again and again; resolves to how long each took, in ms. */
async function readLog(reader: OwnerClient, bikeId: number): Promise<number[]> {
  const took: number[] = []
  while (goOn()) {
    const asked = performance.now()
    const { error } = await reader
      .from('maintenance')
      .select('id, type, name, description, cost, dateStarted, dateEnded')
      .eq('bikeId', bikeId)
      .order('dateStarted')
      .order('id')
    took.push(performance.now() - asked)
    if (error) faults.push(`a read failed: ${error.message}`)
  }
  return took
}

async function writeLog(index: number): Promise<void> {
  const written = await writes.write(owner, bikeOf(index), randomFor(`writer ${index}`), goOn)
  if (!written) faults.push(`a write of writer ${index + 1} failed`)
}

async function syncForWhile(): Promise<number> {
  let count = 0
  for (; goOn(); count++) await syncOnce()
  return count
}

async function syncOnce(): Promise<void> {
  if (!(await forgetRides(stack.url, keys))) faults.push('the rides could not be taken away')
  const status = await refresh(stack.url, keys)
  if (status !== 200) faults.push(`a refresh was answered ${status}`)
}

function summary(samples: Memory[], choose: (sorted: number[]) => number): Memory {
  const of = (part: keyof Memory) =>
    choose(samples.map((sample) => sample[part]).toSorted((one, other) => one - other))
  return { stack: of('stack'), functions: of('functions') }
}

function describe({ stack, functions }: Memory): string {
  return `the stack holds ${stack} MB, its functions ${functions} MB`
}
