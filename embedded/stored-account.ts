import { existsSync } from 'node:fs'
import { accountPrefix } from './data-folder.ts'
import { appliedVersions } from './migrations.ts'
import { connect } from './postgres/connect.ts'
import { findOrStartServer } from './postgres/server.ts'
import type { Settings } from './settings.ts'

/** Returns the Ride with GPS user id of the stored rides, or null if unknown. Works whether or not the tracker is running. */
export async function readStoredAccount({
  dataFolder,
  databaseUrl,
}: Pick<Settings, 'dataFolder' | 'databaseUrl'>): Promise<number | null> {
  const settings = { dataFolder, databaseUrl, account: 'owner' as const }
  if (!databaseUrl && !existsSync(`${accountPrefix(settings)}-keys.json`)) return null
  const server = await findOrStartServer(settings)
  const sql = connect(server.url)
  try {
    if ((await appliedVersions(sql)).length === 0) return null
    const [sync] = await sql<{ user: string }[]>`
      select rwgps_user_id::text as user from public.ride_syncs where rwgps_user_id is not null order by id desc limit 1`
    return sync ? Number(sync.user) : null
  } finally {
    await sql.end()
    await server.stop()
  }
}
