import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Answer } from '../../supabase/functions/ride-changes/contract.ts'
import { checked } from '../contract.ts'
import { insert, OWNER, useDatabase } from './databases.ts'
import { plainLifetime, type UsageItem, type UsageRide } from './usage.ts'

const HOUR = 3_600_000

const database = await useDatabase(`
    insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com');
    insert into public.bikes (gear_id, name) values (1, 'Gravel'), (2, 'Warbird');
    select set_config('request.jwt.claim.sub', '', false)`)

const value = async <Value>(sql: string) =>
  Object.values((await database.run(sql)).findLast((rows) => rows.length > 0)![0]!)[0] as Value
const asOwner = <Value>(sql: string) =>
  value<Value>(
    `begin; select set_config('request.jwt.claim.sub', '${OWNER}', true); set local role authenticated; ${sql}; commit`,
  )

const june = Date.parse('2026-06-01T00:00:00Z')
const instants = fc
  .oneof(fc.integer({ min: 0, max: 96 }), fc.constant(24 * 365 * 60))
  .map((hour) => new Date(june + hour * HOUR).toISOString())

const anyRide = fc.record({
  name: fc.constantFrom(null, '', 'Loop', '<script>alert(1)</script>', 'ש'.repeat(10_000)),
  gear_id: fc.constantFrom(1, 2, null, 900_003),
  departed_at: fc.option(instants, { freq: 8 }),
  time_zone: fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland'),
  distance: fc.constantFrom(null, 0, 100.4, 12_345.678),
  duration: fc.constantFrom(null, 90),
  moving_time: fc.constantFrom(null, 60, 75),
  avg_hr: fc.constantFrom(null, 120.5),
  // Changes to these columns aren't recorded.
  updated_at: fc.option(instants),
  highlighted_photo_id: fc.constantFrom(null, 7),
  has_map: fc.boolean(),
})
const anyList = fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6', '7'), anyRide)
const anySync = fc.record({
  list: anyList,
  end: fc.constantFrom('ok', 'ok', 'ok', 'failed', 'killed'),
  /** The number of pages that are stored before the sync fails or is killed. */
  pages: fc.integer({ min: 0, max: 4 }),
  removes: fc.boolean(),
})

const anyParts = fc.array(
  fc.record({
    starts: fc.uniqueArray(fc.integer({ min: -24, max: 120 }), { minLength: 1, maxLength: 3 }),
    bikes: fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 2), fc.constantFrom(1, 2)),
    isOpen: fc.boolean(),
  }),
  { maxLength: 5 },
)

type Item = UsageItem & { part_id: number }
type Part = { starts: number[]; bikes: number[]; isOpen: boolean }

const itemsOf = (parts: Part[]): Item[] =>
  parts.flatMap(({ starts, bikes, isOpen }, part) => {
    const days = starts
      .toSorted((a, b) => a - b)
      .map((hour) => new Date(june + hour * HOUR).toISOString().slice(0, 19))
    return days.map((dateStarted, index) => ({
      id: part * 10 + index + 1,
      part_id: part + 1,
      bikeId: bikes[index]!,
      dateStarted,
      dateEnded: days[index + 1] ?? (isOpen ? null : '2026-06-07T00:00:00'),
    }))
  })

type Stored = UsageRide & Record<string, unknown>

const FACTS = `array['name', 'gear_id', 'started_at', 'time_zone', 'distance', 'duration', 'moving_time', 'max_speed', 'avg_speed', 'avg_hr',
  'max_hr', 'avg_watts', 'max_watts', 'avg_cad', 'elevation_gain', 'is_stationary']`

const storedRides = () => value<Stored[]>(`select coalesce(jsonb_agg(ride), '[]') from public.rides as ride`)

const factsOfRides = () =>
  value<Record<string, unknown>>(`
    select coalesce(jsonb_object_agg(ride.id, facts), '{}') from public.rides as ride, lateral (
      select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(ride)) where key = any (${FACTS})
    ) as of_ride (facts)`)

type Facts = Awaited<ReturnType<typeof factsOfRides>>

function diff(before: Facts, after: Facts) {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return ids
    .filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]))
    .map((id) => ({ ride_id: Number(id), before: before[id] ?? null, after: after[id] ?? null }))
}

const changesOf = (args: string) =>
  asOwner<unknown>(`select public.changes_of_sync(${args})`).then((answer) => checked(Answer, answer))

function partChanges(items: Item[], before: Stored[], after: Stored[]) {
  const parts = Map.groupBy(items, ({ part_id }) => part_id)
  const now = Date.now()
  return [...parts]
    .map(([part_id, ofPart]) => {
      const usage = (rides: Stored[], id?: number) =>
        plainLifetime(ofPart, id === undefined ? rides : rides.filter((ride) => ride.id === id), now)
      const [usageBefore, usageAfter] = [usage(before), usage(after)]
      const ids = [...new Set([...before, ...after].map(({ id }) => id))]
      const rides = ids.filter((id) => JSON.stringify(usage(before, id)) !== JSON.stringify(usage(after, id)))
      return {
        part_id,
        rides: rides.length,
        /** Rides that changed the usage in the same direction as the total, and whether they were included before and after. */
        reasons: rides
          .filter((id) => {
            const total = usageAfter.distance - usageBefore.distance
            return total === 0 || (usage(after, id).distance - usage(before, id).distance) * total > 0
          })
          .map((id) => [id, usage(before, id).rides === 1, usage(after, id).rides === 1]),
        distance: usageAfter.distance - usageBefore.distance,
        moving_time: usageAfter.moving_time - usageBefore.moving_time,
      }
    })
    .filter(({ distance, moving_time }) => distance !== 0 || moving_time !== 0)
}

async function sync({ list, end, pages }: Sync) {
  // Backdate a killed sync, so this sync closes it.
  await database.run(`update public.ride_syncs set started_at = started_at - interval '6 minutes'`)
  const id = await value<number>(`select public.start_ride_sync('owner')`)
  await database.run(`select public.claim_rwgps_account(${id}, 7, '[]')`)
  const rides = Object.entries(list).map(([ride, fields]) => Object.assign(fields, { id: Number(ride) }))
  const count = end === 'ok' ? Math.ceil(rides.length / 2) : pages
  for (let page = 0; page < count; page++) {
    const json = JSON.stringify(rides.slice(page * 2, page * 2 + 2))
    await database.run(`select public.store_rides(${id}, $json$${json}$json$)`)
  }
  const ids = rides.map((ride) => ride.id).join()
  if (end === 'ok') await database.run(`select public.finish_ride_sync(${id}, '{${ids}}')`)
  if (end === 'failed') await database.run(`select public.fail_ride_sync(${id}, 'internal')`)
  return id
}
type Sync = { list: Record<string, object>; end: string; pages: number; removes: boolean }

test('changes of rides and parts match a plain diff of the rides before and after each sync', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, fc.array(anySync, { maxLength: 5 }), async (parts, syncs) => {
      const items = itemsOf(parts)
      await database.run(`
        truncate public.rides, public.ride_changes, public.ride_syncs, public.parts cascade;
        insert into public.parts (id) select distinct part_id from jsonb_to_recordset('${JSON.stringify(items)}') as item (part_id bigint);
        ${insert(
          'maintenance',
          items.map((item) => ({ ...item, name: 'Chain' })),
        )}`)
      let isFirst = true
      const recorded: number[] = []
      for (const step of syncs) {
        let [facts, before] = [await factsOfRides(), await storedRides()]
        const id = await sync(step)
        // Nothing is recorded until the first sync succeeds.
        if (isFirst) [facts, before] = [await factsOfRides(), await storedRides()]
        if (step.end === 'ok') isFirst = false
        if (step.end === 'ok' && step.removes) await asOwner(`select public.remove_missing_rides(${id})`)
        const expected = diff(facts, await factsOfRides())
        const answer = await changesOf(`${id}`)
        expect(answer.rides.toSorted((a, b) => a.ride_id - b.ride_id)).toEqual(expected)
        expect(answer.sync).toMatchObject({
          id,
          added: expected.filter((ride) => ride.before === null).length,
          removed: expected.filter((ride) => ride.after === null).length,
          changed: expected.filter((ride) => ride.before !== null && ride.after !== null).length,
        })
        const ofParts = partChanges(items, before, await storedRides())
        expect(answer.part_count).toBe(ofParts.length)
        expect(answer.parts.toSorted((a, b) => a.part_id - b.part_id)).toEqual(
          ofParts.map(({ part_id, rides, reasons, distance, moving_time }) => {
            const part = answer.parts.find((other) => other.part_id === part_id)!
            expect(reasons).toContainEqual([part.ride.ride_id, part.counted_before, part.counted_after])
            expect(answer.rides).toContainEqual(part.ride)
            return Object.assign(structuredClone(part), { rides, distance: distance / 1000, moving_time })
          }),
        )
        expect(answer.older).toBe(recorded.at(-1) ?? null)
        if (expected.length > 0) recorded.push(id)
      }
    }),
    { numRuns: 30 },
  )
})

const namedRides = (name: string, count = 60) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, { name }]))
const syncWith = (rides: Record<string, object>) => sync({ list: rides, end: 'ok', pages: 0, removes: false })
const recorded = () =>
  value<number[]>(
    'select coalesce(jsonb_agg(distinct sync_id), jsonb_build_array()) from public.ride_changes',
  )

test('keeps changes for a year, pages them, and deletes them with the account', async () => {
  await database.run('truncate public.rides, public.ride_changes, public.ride_syncs, public.parts cascade')
  const first = await syncWith(namedRides('Old'))
  const second = await syncWith(namedRides('New'))
  expect(await recorded()).toEqual([second])
  expect(await changesOf(`${first}`)).toMatchObject({ sync: { changed: 0 }, rides: [], older: null })
  expect(await changesOf('-1')).toEqual({ sync: null, rides: [], parts: [], part_count: 0, older: null })
  const pages = [await changesOf(''), await changesOf(`${second}, 50`)]
  expect(pages.map(({ sync: of, rides }) => [of!.id, of!.changed, rides.length])).toEqual([
    [second, 60, 50],
    [second, 60, 10],
  ])
  expect(new Set(pages.flatMap(({ rides }) => rides.map(({ ride_id }) => ride_id))).size).toBe(60)

  const age = (days: number) =>
    database.run(`update public.ride_syncs set started_at = started_at - interval '${days} days'`)
  await age(360)
  const third = await syncWith(namedRides('New', 61))
  expect(await recorded()).toEqual([second, third])
  await age(6)
  await syncWith(namedRides('New', 61))
  expect(await recorded()).toEqual([third])

  await database.run('select public.switch_rwgps_account()')
  expect(await recorded()).toEqual([])
  await syncWith(namedRides('Other'))
  expect(await recorded()).toEqual([])
})
