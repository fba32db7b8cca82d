// Measures how much a day of quick checks downloads from Ride with GPS.
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
