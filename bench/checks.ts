// Measures how much a day of quick checks downloads from Ride with GPS, and the cost of one check.
import { setTimeout as sleep } from 'node:timers/promises'
import { openProject, type Project } from '../tests/sync/project.ts'
import { report } from './measure.ts'
import { type Account, EMPTY, withRides } from './sync.ts'

const ACCOUNTS = [
  { rides: 3268, limit: 22 },
  { rides: 300, limit: 6 },
]
const CHECKS_PER_DAY = 144

export async function checks(): Promise<void> {
  const project = await openProject()
  try {
    for (const { rides, limit } of ACCOUNTS) {
      console.log(`\nA day of quick checks with ${rides} rides and no news`)
      await project.query(EMPTY)
      await withRides(project, { rides, latency: 0 }, (account) => aDay(project, account, limit))
    }
    console.log('\nA quick check')
    await project.query(EMPTY)
    await withRides(project, { rides: 3268, latency: 0 }, (account) => oneCheck(project, account))
  } finally {
    await project.close()
  }
}

const pass = (project: Project, interval: string) =>
  project.query(`update public.ride_syncs set started_at = started_at - interval '${interval}',
    finished_at = finished_at - interval '${interval}', checked_at = checked_at - interval '${interval}'`)

async function aDay(project: Project, { run, check, server }: Account, limit: number): Promise<void> {
  const megabytes = async (work: () => Promise<unknown>) => {
    const before = await server.sentBytes()
    await work()
    return ((await server.sentBytes()) - before) / 1e6
  }
  const fullSync = await megabytes(run)
  const statuses: string[] = []
  const day = await megabytes(async () => {
    for (let number = 0; number < CHECKS_PER_DAY; number++) {
      await pass(project, '10 minutes')
      statuses.push(await check())
    }
  })
  report('downloaded with hourly syncs', fullSync * 24, 'MB')
  report('downloaded with quick checks', day, 'MB', limit)
  report('  full syncs', statuses.filter((status) => status === 'ok').length, '', 5)
}

async function oneCheck(project: Project, { run, check, server }: Account): Promise<void> {
  await run()
  const before = await server.sentBytes()
  await check()
  report('downloaded', ((await server.sentBytes()) - before) / 1e3, 'kB', 30)

  const start = await databaseActivity(project)
  for (let number = 0; number < CHECKS_PER_DAY; number++) await check()
  const end = await databaseActivity(project)
  report('calls of the database', (end.transactions - start.transactions) / CHECKS_PER_DAY, '', 2.1)
  report('rows written', (end.rows - start.rows) / CHECKS_PER_DAY, '', 1)
}

async function databaseActivity(project: Project): Promise<{ transactions: number; rows: number }> {
  // Idle sessions only report their statistics after ten seconds.
  await sleep(11_000)
  const [activity] = await project.query<{ transactions: number; rows: number }>(`
    select xact_commit::integer as transactions, (tup_inserted + tup_updated + tup_deleted)::integer as rows
    from pg_stat_database where datname = current_database()`)
  return activity!
}
