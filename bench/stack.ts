// Starts the embedded stack with a real account's settings and generated rides.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openDatabase } from '../embedded/database.ts'
import { startServer } from '../embedded/postgres/server.ts'
import { readOrCreateSecrets } from '../embedded/secrets.ts'
import { startSampleServer } from '../sample/server.ts'
import { signIn } from '../tests/owner.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { median, report } from './measure.ts'

export const OWNER = { email: 'owner@example.com', password: 'password' }

/** Runs SQL statements on a new data folder's database, then starts the stack. `stop` removes everything. */
export async function startWith(statements: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, remove } = await temporaryFolder()
  const prefix = path.join(folder, 'owner')
  const secrets = await readOrCreateSecrets(`${prefix}-keys.json`)
  const server = await startServer({ dataFolder: folder, account: 'owner', databaseUrl: undefined })
  const database = await openDatabase(server, secrets, prefix)
  await database.sql.unsafe(`${statements}; analyze`)
  await database.close()
  await server.stop()

  const images = await serveImages()
  const stack = await start({
    TRACKER_DATA_DIR: folder,
    OWNER_EMAIL: OWNER.email,
    OWNER_PASSWORD: OWNER.password,
    RWGPS_BASE_URL: images.url,
    RWGPS_API_KEY: 'key',
    RWGPS_EMAIL: 'rider@example.com',
    RWGPS_PASSWORD: 'password',
  })
  return {
    url: stack.url,
    async stop() {
      await stack.stop()
      await images.close()
      await remove()
    },
  }
}

/** Serves the same sample map for every image, without looking up the ride. */
async function serveImages() {
  const map = await readFile(new URL('../sample/images/map-1.png', import.meta.url))
  return startSampleServer({
    fetch: () => new Response(map, { headers: { 'content-type': 'image/png' } }),
  })
}

const RUNS = 15

/** Times the owner's calls to a function over HTTP, on a stack with the rows that `statements` insert. */
export async function measureFunction(name: string, body: object, statements: string): Promise<void> {
  const stack = await startWith(statements)
  try {
    const owner = await signIn(stack.url, OWNER)
    const { data } = await owner.auth.getSession()
    const call = async () => {
      const response = await fetch(`${stack.url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${data.session!.access_token}` },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${name} returned ${response.status}`)
      return response.text()
    }
    report('request to complete response', await median(RUNS, call), 'ms')
    report('response size', (await call()).length / 1000, 'kB')
  } finally {
    await stack.stop()
  }
}
