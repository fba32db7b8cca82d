import { openDatabase } from '../../embedded/database.ts'
import { startServer } from '../../embedded/postgres/server.ts'
import { ensureOwner } from '../../embedded/owner.ts'
import { readOrCreateSecrets, type Secrets } from '../../embedded/secrets.ts'
import { signIn } from '../owner.ts'
import { start, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN, startRideWithGps, type RideWithGps } from '../sync/ride-with-gps.ts'
import { claimsOf, signToken } from '../tokens.ts'

export const OWNER = { email: 'owner@example.com', password: 'correct horse' }
export const ANOTHER = { id: '00000000-0000-0000-0000-00000000000b', email: 'another@example.com' }

/** A running tracker with a real account, a second Auth user and a fake Ride with GPS. */
export interface SharedTracker {
  stack: Running
  rwgps: RideWithGps
  secrets: Secrets
  /** The access tokens of the two users. */
  tokens: { owner: string; another: string }
  stop(): Promise<void>
}

/** Starts a shared tracker. The database rejects a second user, so this bypasses its triggers to add one. */
export async function startSharedTracker(): Promise<SharedTracker> {
  const [{ folder, remove }, rwgps] = await Promise.all([temporaryFolder(), startRideWithGps()])
  const secrets = await readOrCreateSecrets(`${folder}/owner-keys.json`)
  const server = await startServer({ dataFolder: folder, account: 'owner', databaseUrl: undefined })
  const database = await openDatabase(server, secrets, `${folder}/owner`)
  await ensureOwner(database, secrets, { ownerEmail: OWNER.email, ownerPassword: OWNER.password })
  await database.sql.unsafe(`
    set session_replication_role = replica;
    insert into auth.users (id, email, aud, role) values ('${ANOTHER.id}', '${ANOTHER.email}', 'authenticated', 'authenticated')`)
  await database.close()
  await server.stop()

  const stack = await start({ TRACKER_DATA_DIR: folder, RWGPS_BASE_URL: rwgps.url, ...SIGN_IN })
  const { data } = await (await signIn(stack.url, OWNER)).auth.getSession()
  const owner = data.session!.access_token
  const another = signToken(
    { ...claimsOf(owner), sub: ANOTHER.id, email: ANOTHER.email, session_id: undefined },
    secrets.jwtSecret,
  )
  return {
    stack,
    rwgps,
    secrets,
    tokens: { owner, another },
    async stop() {
      await stack.stop()
      await rwgps.close()
      await remove()
    },
  }
}
