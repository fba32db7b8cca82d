// `npm run stress:crash -- [--kills 70] [--seed spoke] [--minutes 8]`: kills the tracker (or, in two of seven rounds,
// PostgreSQL) with `kill -9` at random moments of first starts, starts, migrations, saves and syncs. Every start after
// that must recover without help, and no acknowledged write may be lost. The same seed produces the same delays.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFor } from '../../sample/random.ts'
import { countRows, signIn } from '../owner.ts'
import { freePort } from '../../embedded/port.ts'
import { launch, start, temporaryFolder, type Running } from '../running.ts'
import { copyProject } from '../stack/project.ts'
import { deleteRides, keysOf, sync, syncFaults } from './syncs.ts'
import { Writes } from './writes.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '70' },
    seed: { type: 'string', default: 'spoke' },
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

// Measure a start on this machine, to spread the kills over its duration.
const timed = performance.now()
const first = await start(environment, project.root)
const startTime = performance.now() - timed
const rides = await countRows(await signIn(first.url), 'rides')
await first.stop()

async function killStarting(folder: string): Promise<void> {
  const { child, ended } = launch({ TRACKER_DATA_DIR: folder, PORT: String(await freePort()) }, project.root)
  await Promise.race([sleep(random.between(0, startTime)), once(child, 'exit')])
  child.kill('SIGKILL')
  await ended
}

async function killWriting(stack: Running, kill: () => Promise<unknown>): Promise<void> {
  const [owner, keys] = await Promise.all([signIn(stack.url), keysOf(environment.TRACKER_DATA_DIR)])
  const { data: bike } = await owner.from('bikes').select('gear_id').limit(1).single()
  const syncRepeatedly = async () => {
    while ((await deleteRides(stack.url, keys)) && (await sync(stack.url, keys)));
  }
  const busy = [syncRepeatedly(), ...[1, 2, 3].map(() => writes.write(owner, bike!.gear_id, random))]
  await sleep(random.between(0, 1500))
  await kill()
  await Promise.all(busy)
}

async function startAndVerify(folder: string): Promise<Running> {
  const stack = await start({ TRACKER_DATA_DIR: folder }, project.root)
  const owner = await signIn(stack.url)
  // Rides were deleted before the kill, and a start doesn't sync if the last sync succeeded.
  await sync(stack.url, await keysOf(folder))
  faults.push(...(await syncFaults(owner, rides)), ...(await writes.faults(owner)))
  return stack
}

const rounds = {
  async 'during a first start'() {
    const fresh = await temporaryFolder()
    await killStarting(fresh.folder)
    const stack = await start({ TRACKER_DATA_DIR: fresh.folder }, project.root)
    const owner = await signIn(stack.url)
    faults.push(...(await syncFaults(owner, rides)))
    if ((await countRows(owner, 'maintenance')) < 20) faults.push('the sample log is missing')
    await stack.stop('SIGKILL')
    await fresh.remove()
  },
  'during a start': () => killStarting(environment.TRACKER_DATA_DIR),
  async 'during an upgrade'() {
    const version = 20990000000000 + Object.values(done).reduce((sum, count) => sum + count, 0)
    const table = `private.stress_${version}`
    await project.addMigration(
      `${version}_stress.sql`,
      `create table ${table} as select n, repeat(md5(n::text), 10) as text from generate_series(1, 20000) as n;
       create index on ${table} (text);
       update public.maintenance set description = '${version}' where name like 'writer %';`,
    )
    await killStarting(environment.TRACKER_DATA_DIR)
  },
  async 'during saves and syncs'() {
    const stack = await startAndVerify(environment.TRACKER_DATA_DIR)
    await killWriting(stack, () => stack.stop('SIGKILL'))
  },
  async 'of PostgreSQL'() {
    const stack = await startAndVerify(environment.TRACKER_DATA_DIR)
    const pidFile = path.join(environment.TRACKER_DATA_DIR, 'postgres/postmaster.pid')
    const [postmaster] = (await readFile(pidFile, 'utf8')).split('\n')
    await killWriting(stack, async () => {
      process.kill(Number(postmaster), 'SIGKILL')
      const { code, output } = await stack.ended
      if (code !== 1 || !output.includes('PostgreSQL stopped unexpectedly')) {
        faults.push(`the tracker did not report that PostgreSQL stopped: ${code}, ${output.slice(-300)}`)
      }
    })
  },
}
const WEIGHTED = [
  'during a first start',
  'during a start',
  'during an upgrade',
  'during an upgrade',
  ...Array.from({ length: 6 }, () => 'during saves and syncs' as const),
  ...Array.from({ length: 4 }, () => 'of PostgreSQL' as const),
] as const

let kills = 0
for (; kills < Number(values.kills) && Date.now() - began < Number(values.minutes) * 60_000; kills++) {
  const round = WEIGHTED[kills % WEIGHTED.length]!
  await rounds[round]()
  done[round] = (done[round] ?? 0) + 1
  if (faults.length > 0) break
}
const last = faults.length > 0 ? undefined : await startAndVerify(environment.TRACKER_DATA_DIR)
await last?.stop()
await Promise.all([project.remove(), data.remove()])

const seconds = Math.round((Date.now() - began) / 1000)
const summary = Object.entries(done).map(([round, count]) => `${count} ${round}`)
console.log(`${kills} of ${values.kills} kills in ${seconds} s: ${summary.join(', ')}`)
console.log(`${writes.acknowledged} acknowledged writes, ${faults.length} faults`)
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
