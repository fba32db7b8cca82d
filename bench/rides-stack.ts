// The embedded stack with a real account's settings and rides that were never fetched: as after a long life of riding.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { openDatabase } from '../embedded/database.ts'
import { readOrCreateSecrets } from '../embedded/secrets.ts'
import { sampleTrips } from '../sample/rider.ts'
import { createSampleAccount, startSampleServer } from '../sample/server.ts'
import { start, temporaryFolder } from '../tests/running.ts'

export const OWNER = { email: 'owner@example.com', password: 'password' }
export const LONG = { gear: 1, name: 'Everyday' }
export const SHORT = { gear: 2, name: 'Sunday' }

const RIDES = (gear: number, count: number) => `
  insert into public.rides (id, name, gear_id, created_at, departed_at, time_zone, distance, duration, moving_time,
    max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, has_map)
  select ${gear} * 1000000 + n,
    (array['Morning Ride', 'Evening Ride', 'Coffee and hills', 'Über den Gotthard', 'To work', 'Ride'])[1 + n % 6] || ' ' || n * 7919 % ${count},
    ${gear}, now() - n * interval '8 hours', now() - n * interval '8 hours', 'America/Los_Angeles',
    5000 + n * 7919 % 90000 + 0.1, 1200 + n * 31 % 15000, 1000 + n * 31 % 12000, 30 + n % 40, 15 + n % 20,
    case when n % 5 > 0 then 110 + n % 50 end, case when n % 5 > 0 then 150 + n % 40 end, 120 + n % 100,
    case when n % 3 > 0 then 300 + n % 500 end, case when n % 4 > 0 then 70 + n % 25 end, n * 13 % 1500, n % 8 > 0
  from generate_series(1, ${count}) as n`

/** Starts the stack with that many rides on one bike and a few on another; `stop` removes everything. */
export async function startWithRides(count: number): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, remove } = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  const databaseFolder = path.join(folder, 'owner')
  const database = await openDatabase(
    await readOrCreateSecrets(`${databaseFolder}-keys.json`),
    databaseFolder,
  )
  await database.sql.exec(`
    insert into public.bikes values (${LONG.gear}, '${LONG.name}'), (${SHORT.gear}, '${SHORT.name}');
    ${RIDES(LONG.gear, count)};
    ${RIDES(SHORT.gear, 20)};
    analyze public.rides`)
  await database.close()

  const pictures = await servePictures()
  const stack = await start({
    TRACKER_DATA_DIR: folder,
    OWNER_EMAIL: OWNER.email,
    OWNER_PASSWORD: OWNER.password,
    RWGPS_BASE_URL: pictures.url,
    RWGPS_API_KEY: 'key',
    RWGPS_EMAIL: 'rider@example.com',
    RWGPS_PASSWORD: 'password',
  })
  return {
    url: stack.url,
    async stop() {
      await stack.stop()
      await pictures.close()
      await remove()
    },
  }
}

/** Answers every picture with one of the sample's, drawn once: what is measured is the table, not the drawing. */
async function servePictures() {
  const { fetch } = createSampleAccount()
  const answers = sampleTrips(new Date())
    .slice(0, 60)
    .map(({ id }) => fetch(new Request(`http://sample/trips/${id}/thumb.png`)))
    .filter(({ ok }) => ok)
  const drawn = await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  return startSampleServer({
    fetch: ({ url }) => {
      const id = Number(/\/trips\/(\d+)\//.exec(url)?.[1] ?? 0)
      return new Response(drawn[id % drawn.length] ?? null, { headers: { 'content-type': 'image/png' } })
    },
  })
}
