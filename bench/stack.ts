// Starts the embedded stack with a real account's settings and generated rides.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openDatabase } from '../embedded/database.ts'
import { startServer } from '../embedded/postgres/server.ts'
import { readOrCreateSecrets } from '../embedded/secrets.ts'
import { startSampleServer } from '../sample/server.ts'
import { start, temporaryFolder } from '../tests/running.ts'

export const OWNER = { email: 'owner@example.com', password: 'password' }

/** Runs SQL statements on a new data folder's database, then starts the stack. Disposing it removes everything. */
export async function startWith(statements: string): Promise<AsyncDisposable & { url: string }> {
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
    async [Symbol.asyncDispose]() {
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
