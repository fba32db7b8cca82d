/** Handles new time zone rules: PostgreSQL, Node.js and the functions each bring their own. */
import { Cron } from 'croner'
import type { Sql } from 'postgres'

/** Returns minutes east of UTC. Throws a RangeError for an unknown zone. */
type OffsetAt = (zone: string, instant: Date) => number

interface Options {
  now?: Date
  offsetAt?: OffsetAt
}

/** Computes the start of rides again whose time zone has other rules since they were stored. Returns how many. */
export async function deriveRides(sql: Sql): Promise<number> {
  const { count } = await sql`
    with zones as materialized (select distinct time_zone as name from public.rides)
    update public.rides set time_zone = time_zone
    where time_zone in (select name from zones where private.is_time_zone(name))
      and started_at is distinct from timezone(time_zone, coalesce(departed_at, created_at))`
  return count
}

/** Returns each zone of the owner or of last year's rides for which PostgreSQL has other rules than Node.js, and the first such day. */
export async function differingRules(
  sql: Sql,
  { now = new Date(), offsetAt = offsetOfNode() }: Options = {},
): Promise<{ zone: string; day: string }[]> {
  const today = now.toISOString()
  const days = await sql<{ zone: string; noon: number; minutes: number }[]>`
    with used as materialized (
      select time_zone as name from private.owner where time_zone is not null
      union
      select time_zone from public.rides where departed_at > ${today}::timestamptz - interval '1 year'
    )
    select name as zone, extract(epoch from day)::float8 as noon, extract(epoch from timezone(name, day) - timezone('UTC', day))::integer / 60 as minutes
    from used, generate_series(
      date_trunc('day', ${today}::timestamptz, 'UTC') - interval '1 year' + interval '12 hours',
      ${today}::timestamptz + interval '1 year', interval '1 day'
    ) as day
    where private.is_time_zone(name)
    order by day, name`
  const found = new Map<string, string>()
  for (const { zone, noon, minutes } of days) {
    const instant = new Date(noon * 1000)
    if (!found.has(zone) && !isSame(offsetAt, zone, instant, minutes))
      found.set(zone, instant.toISOString().slice(0, 10))
  }
  return [...found].map(([zone, day]) => ({ zone, day }))
}

/** Compares the rules now and every day, because rides bring new zones. Calls `report` if they differ. Returns a stop function. */
export async function compareRulesDaily(sql: Sql, report: (text: string) => void): Promise<() => void> {
  const job = new Cron('@daily', { catch: (error) => console.error(error) }, async () => {
    const differing = await differingRules(sql)
    if (differing.length === 0) return
    const zones = differing.map(({ zone, day }) => `${zone} (from ${day})`).join(', ')
    report(
      `PostgreSQL has other time zone rules than Node.js (${process.versions['tz']}) for ${zones}, so rides near midnight can be on another day. Update the tracker and, with DATABASE_URL, its server.`,
    )
  })
  await job.trigger()
  return () => job.stop()
}

function isSame(offsetAt: OffsetAt, zone: string, instant: Date, minutes: number): boolean {
  try {
    return offsetAt(zone, instant) === minutes
  } catch {
    // Node.js doesn't know every name that PostgreSQL knows.
    return true
  }
}

function offsetOfNode(): OffsetAt {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (zone, instant) => {
    const format =
      formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(instant))!
    const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
    return sign === '-' ? -offset : offset
  }
}
