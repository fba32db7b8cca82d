import type { Sql } from 'postgres'
import { RIDER } from '../sample/rider.ts'
import { commandLine } from './installation.ts'
import { type Settings, StartError } from './settings.ts'

type Account = Settings['account']

// Beside the tables of the migrations, so a backup doesn't contain it and a restore doesn't change it.
const TABLE = 'supabase_migrations.tracker_account'

/** Records whose data the database holds: the sample's, or that of the owner's Ride with GPS account. */
export async function recordAccount(sql: Sql, account: Account): Promise<void> {
  await sql.unsafe(`create table if not exists ${TABLE} (account text primary key)`)
  await sql.unsafe(`insert into ${TABLE} select $1 where not exists (select from ${TABLE})`, [account])
}

/** Throws a StartError if the database at DATABASE_URL holds the other account's data. */
export async function requireAccount(sql: Sql, account: Account): Promise<void> {
  const stored = await readAccount(sql)
  if (stored === undefined || stored === account) return
  throw new StartError(
    account === 'owner'
      ? 'The database at DATABASE_URL holds the sample. Set DATABASE_URL to an empty database for your own rides.'
      : `The database at DATABASE_URL holds your own rides, but no Ride with GPS credentials are set. Run ${commandLine('connect')}, or set DATABASE_URL to an empty database for the sample.`,
  )
}

/** Returns whose data the database holds, if known. Databases of version 1.0.0 have no record, but know whose rides they have. */
async function readAccount(sql: Sql): Promise<Account | undefined> {
  const has = async (table: string) =>
    (await sql.unsafe(`select from pg_class where oid = to_regclass('${table}')`)).length > 0
  if (await has(TABLE)) {
    const [row] = await sql.unsafe<{ account: Account }[]>(`select account from ${TABLE}`)
    return row?.account
  }
  if (!(await has('public.ride_syncs'))) return undefined
  const [sync] = await sql.unsafe<{ is_sample: boolean }[]>(
    'select rwgps_user_id = $1 as is_sample from public.ride_syncs where rwgps_user_id is not null order by id desc limit 1',
    [RIDER],
  )
  return sync && (sync.is_sample ? 'sample' : 'owner')
}
