// Usage of every part of a bike, against one plain sum over the same rides in the same database; then as the client asks for it.
import { openMigratedDatabase, type TestDatabase } from '../tests/database/databases.ts'
import { signIn } from '../tests/owner.ts'
import { fastest, median, report } from './measure.ts'
import { OWNER, startWith } from './stack.ts'

const ROUNDS = 60
const RUNS = 15

const LIFE = `
  insert into public.bikes values (1, 'Road'), (2, 'Twice as much');
  ${lifeOf(1, 10_000, 500)};
  ${lifeOf(2, 20_000, 1000)}`

export async function usage(): Promise<void> {
  console.log('\nUsage: 10,000 rides, 500 parts of one bike')
  const database = await openMigratedDatabase()
  try {
    await database.run(`${LIFE}; analyze public.rides; analyze public.maintenance`)
    await compare(database)
  } finally {
    await database.close()
  }
  await endToEnd()
}

function lifeOf(bike: number, rides: number, items: number): string {
  return `
    insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, moving_time)
    select ${bike} * 1000000 + n, ${bike}, '2004-01-01'::timestamptz + n * interval '20 years' / ${rides}, now(),
      'America/Los_Angeles', 20000 + n % 7000 + 0.1, 3600 + n % 999
    from generate_series(1, ${rides}) as n;
    insert into public.maintenance ("bikeId", name, "dateStarted", "dateEnded")
    select ${bike}, 'Part ' || n, '2004-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items},
      case when n % 9 > 0 then '2006-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items} end
    from generate_series(1, ${items}) as n`
}

async function compare(database: TestDatabase): Promise<void> {
  const running = (sql: string) => ({ work: () => database.run(sql) })
  const [sum, whole, twice] = await fastest(ROUNDS, [
    running('select sum(distance), sum(moving_time) from public.rides where gear_id = 1'),
    running('select public.maintenance_use(1)'),
    running('select public.maintenance_use(2)'),
  ])
  const [join] = await fastest(RUNS, [running(RANGE_JOIN)])
  report('plain sum over the rides', sum!, 'ms')
  report('usage of every part', whole!, 'ms')
  report('  against the plain sum', whole! / sum!, '×', 4)
  report('  with rides and parts doubled', twice! / whole!, '×', 2.3)
  report('range join, as one would write it first', join!, 'ms')
  report('  against it, usage takes', whole! / join!, '×')
  report('loop in the client over all rides for each part', await clientLoop(database), 'ms')
}

const RANGE_JOIN = `
  select item.id, count(ride.id), sum(ride.distance), sum(ride.moving_time)
  from public.maintenance as item left join public.rides as ride
    on ride.gear_id = item."bikeId" and ride.started_at >= item."dateStarted"
    and (item."dateEnded" is null or ride.started_at < item."dateEnded")
  where item."bikeId" = 1 group by item.id`

/** What the client did before: for each part it went through all rides of the bike, which it had fetched. */
async function clientLoop(database: TestDatabase): Promise<number> {
  const [rides] = await database.run(
    'select started_at::text as started, distance::float, moving_time from public.rides where gear_id = 1',
  )
  const [items] = await database.run(
    'select "dateStarted"::text as started, "dateEnded"::text as ended from public.maintenance where "bikeId" = 1',
  )
  const fetched = rides as { started: string; distance: number; moving_time: number }[]
  return median(RUNS, async () => {
    for (const item of items as { started: string; ended: string | null }[]) {
      const ridden = fetched.filter(
        ({ started }) => started >= item.started && (item.ended === null || started < item.ended),
      )
      ridden.reduce((sum, ride) => sum + ride.distance, 0)
      ridden.reduce((sum, ride) => sum + ride.moving_time, 0)
    }
  })
}

/** The function `maintenance-use` over HTTP: token, owner, count, answer. */
async function endToEnd(): Promise<void> {
  console.log('\nmaintenance-use on the embedded stack: 10,000 rides, 500 parts of one bike')
  const stack = await startWith(LIFE)
  try {
    const owner = await signIn(stack.url, OWNER)
    const { data } = await owner.auth.getSession()
    const ask = async () => {
      const answer = await fetch(`${stack.url}/functions/v1/maintenance-use`, {
        method: 'POST',
        headers: { authorization: `Bearer ${data.session!.access_token}` },
        body: '{"gear_id": 1}',
      })
      if (!answer.ok) throw new Error(`maintenance-use answered ${answer.status}`)
      return answer.text()
    }
    report('from the request to the whole answer', await median(RUNS, ask), 'ms')
    report('size of the answer', (await ask()).length / 1000, 'kB')
  } finally {
    await stack.stop()
  }
}
