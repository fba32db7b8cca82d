// `npm run proof:crash -- [--kills 50] [--seed text] [--minutes 8]`: ends the stack with `kill -9` at random moments of first
// starts, starts, migrations, saves and refreshes. Every next start has to work by itself, and no write that was
// acknowledged may be missing. With the seed that it prints, a run kills after the same delays again.
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFor } from '../../sample/random.ts'
import { countRows, signIn } from '../owner.ts'
import { freePort, launch, start, temporaryFolder, type Running } from '../running.ts'
import { copyProject } from '../stack/project.ts'
import { forgetRides, keysOf, refresh, syncFaults } from './syncs.ts'
import { Writes } from './writes.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now()) },
    minutes: { type: 'string', default: '8' },
  },
})
const began = Date.now()
const random = randomFor(values.seed)
const project = await copyProject()
const data = await temporaryFolder()
const environment = { TRACKER_DATA_DIR: path.join(data.folder, 'data') }
const writes = new Writes()
const faults: string[] = []
const done: Record<string, number> = {}
console.log(`Seed ${values.seed}`)

// How long a start takes here, so that kills fall into all of it; and what a whole sample is.
const timed = performance.now()
const first = await start(environment, project.root)
const startTakes = performance.now() - timed
const rides = await countRows(await signIn(first.url), 'rides')
await first.stop()

/** While it starts, for the first time on a folder or with all that is there. */
async function killStarting(folder: string): Promise<void> {
  const { child, ended } = launch({ TRACKER_DATA_DIR: folder, PORT: String(await freePort()) }, project.root)
  await Promise.race([sleep(random.between(0, startTakes)), once(child, 'exit')])
  child.kill('SIGKILL')
  await ended
}

/** While owner, schedule and the one who takes rides away all write. */
async function killWriting(stack: Running): Promise<void> {
  const [owner, keys] = await Promise.all([signIn(stack.url), keysOf(environment.TRACKER_DATA_DIR)])
  const { data: bike } = await owner.from('bikes').select('gear_id').limit(1).single()
  const refreshing = async () => {
    while ((await forgetRides(stack.url, keys)) && (await refresh(stack.url, keys)));
  }
  const busy = [refreshing(), ...[1, 2, 3].map(() => writes.write(owner, bike!.gear_id, random))]
  await sleep(random.between(0, 1500))
  await stack.stop('SIGKILL')
  await Promise.all(busy)
}

async function startsByItself(folder: string): Promise<Running> {
  const stack = await start({ TRACKER_DATA_DIR: folder }, project.root)
  const owner = await signIn(stack.url)
  faults.push(...(await syncFaults(owner, rides)), ...(await writes.faults(owner)))
  return stack
}

const rounds = {
  async 'in a first start'() {
    const fresh = await temporaryFolder()
    await killStarting(fresh.folder)
    const stack = await start({ TRACKER_DATA_DIR: fresh.folder }, project.root)
    const owner = await signIn(stack.url)
    faults.push(...(await syncFaults(owner, rides)))
    if ((await countRows(owner, 'maintenance')) < 20) faults.push('the log of the sample is missing')
    await stack.stop('SIGKILL')
    await fresh.remove()
  },
  'in a start': () => killStarting(environment.TRACKER_DATA_DIR),
  async 'in an upgrade'() {
    const version = 20990000000000 + Object.values(done).reduce((sum, count) => sum + count, 0)
    const table = `private.proof_${version}`
    await project.addMigration(
      `${version}_prove.sql`,
      `create table ${table} as select n, repeat(md5(n::text), 10) as text from generate_series(1, 20000) as n;
       create index on ${table} (text);
       update public.maintenance set description = '${version}' where name like 'writer %';`,
    )
    await killStarting(environment.TRACKER_DATA_DIR)
  },
  'in saves and refreshes': async () => killWriting(await startsByItself(environment.TRACKER_DATA_DIR)),
}
const WEIGHTED = [
  'in a first start',
  'in a start',
  'in an upgrade',
  'in an upgrade',
  ...Array.from({ length: 6 }, () => 'in saves and refreshes' as const),
] as const

let kills = 0
for (; kills < Number(values.kills) && Date.now() - began < Number(values.minutes) * 60_000; kills++) {
  const round = WEIGHTED[kills % WEIGHTED.length]!
  await rounds[round]()
  done[round] = (done[round] ?? 0) + 1
  if (faults.length > 0) break
}
const last = faults.length > 0 ? undefined : await startsByItself(environment.TRACKER_DATA_DIR)
await last?.stop()
await Promise.all([project.remove(), data.remove()])

const seconds = Math.round((Date.now() - began) / 1000)
const where = Object.entries(done).map(([round, count]) => `${count} ${round}`)
console.log(`${kills} of ${values.kills} kills in ${seconds} s: ${where.join(', ')}`)
console.log(`${writes.acknowledged} acknowledged writes, ${faults.length} faults`)
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
