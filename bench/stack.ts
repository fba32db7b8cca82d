// The embedded stack with a real account's settings and rows that were never fetched: as after a long life of riding.
import path from 'node:path'
import { openDatabase } from '../embedded/database.ts'
import { startServer } from '../embedded/postgres/server.ts'
import { readOrCreateSecrets } from '../embedded/secrets.ts'
import { sampleTrips } from '../sample/rider.ts'
import { createSampleAccount, startSampleServer } from '../sample/server.ts'
import { start, temporaryFolder } from '../tests/running.ts'

export const OWNER = { email: 'owner@example.com', password: 'password' }

/** Starts the stack with the rows that the statements insert; `stop` removes everything. */
export async function startWith(statements: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, remove } = await temporaryFolder()
  const prefix = path.join(folder, 'owner')
  const secrets = await readOrCreateSecrets(`${prefix}-keys.json`)
  const server = await startServer({ dataFolder: folder, account: 'owner', databaseUrl: undefined })
  const database = await openDatabase(server.url, secrets, prefix)
  await database.sql.unsafe(`${statements}; analyze`)
  await database.close()
  await server.stop()

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
