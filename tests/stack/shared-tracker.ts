import type { Sql } from 'postgres'
import { openSessions } from '../../embedded/database.ts'
import { ensureOwner } from '../../embedded/owner.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { readOrCreateSecrets, type Secrets } from '../../embedded/secrets.ts'
import { signIn } from '../owner.ts'
import { prepareTracker, startPrepared, weakenPassword } from '../postgres.ts'
import type { Running } from '../running.ts'
import { SIGN_IN, startRideWithGps, type RideWithGps } from '../sync/ride-with-gps.ts'
import { claimsOf, signToken } from '../tokens.ts'

export const OWNER = { email: 'owner@example.com', password: 'correct horse' }
export const ANOTHER = { id: '00000000-0000-0000-0000-00000000000b', email: 'another@example.com' }

export interface SharedTracker {
  stack: Running
  rwgps: RideWithGps
  /** A connection without row-level security. */
  sql: Sql
  secrets: Secrets
  tokens: { owner: string; another: string }
  stop(): Promise<void>
}

/** Starts a tracker and adds a second user, bypassing the triggers that reject one. */
export async function startSharedTracker(): Promise<SharedTracker> {
  const [prepared, rwgps] = await Promise.all([prepareTracker(), startRideWithGps()])
  const { TRACKER_DATA_DIR, DATABASE_URL } = prepared.environment
  const secrets = await readOrCreateSecrets(`${TRACKER_DATA_DIR}/owner-keys.json`)
  const database = openSessions(DATABASE_URL)
  await ensureOwner(database, secrets, { ownerEmail: OWNER.email, ownerPassword: OWNER.password })
  await weakenPassword(database.sql, OWNER.password)
  await database.sql.unsafe(`
    set session_replication_role = replica;
    insert into auth.users (id, email, aud, role) values ('${ANOTHER.id}', '${ANOTHER.email}', 'authenticated', 'authenticated')`)
  await database.close()

  const sql = connect(DATABASE_URL)
  const stack = await startPrepared(prepared, { RWGPS_BASE_URL: rwgps.url, ...SIGN_IN })
  const { data } = await (await signIn(stack.url, OWNER)).auth.getSession()
  const owner = data.session!.access_token
  const another = signToken(
    { ...claimsOf(owner), sub: ANOTHER.id, email: ANOTHER.email, session_id: undefined },
    secrets.jwtSecret,
  )
  return {
    stack,
    rwgps,
    sql,
    secrets,
    tokens: { owner, another },
    async stop() {
      await sql.end()
      await stack.stop()
      await rwgps.close()
    },
  }
}
