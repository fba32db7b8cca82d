import type { Sql } from 'postgres'
import { requireAccount } from '../account.ts'
import { type Settings, StartError } from '../settings.ts'
import { connect } from './connect.ts'
import { createRoles } from './roles.ts'

const OLDEST_MAJOR = 15

/** Throws a StartError if the database at DATABASE_URL can't be reached. */
export const requireReachable = (url: string) => check(url, async () => undefined)

/** Throws a StartError if the tracker can't use the database at DATABASE_URL for the account. Changes nothing. */
export const requireUsable = (url: string, account: Settings['account']) =>
  check(url, async (sql, open) => {
    if ((await isPooled(sql)) && (await sharesSessions(sql, open()))) throw unusable(SHARED)
    const reason = await reasonAgainst(sql)
    if (reason) throw unusable(reason)
    await requireAccount(sql, account)
    await tryToCreateRoles(sql)
  })

/** Throws a StartError if a start couldn't create the roles. */
async function tryToCreateRoles(sql: Sql): Promise<void> {
  const undo = Symbol('undo')
  const attempt = sql.begin(async (transaction) => {
    await createRoles(transaction)
    throw undo
  })
  await attempt.catch((error: unknown) => {
    if (error !== undo) throw error
  })
}

async function check(url: string, work: (sql: Sql, open: () => Sql) => Promise<void>): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const open = () => {
    // A pooler may give each statement another session, which wouldn't know prepared statements.
    const sql = connect(url, 1, { fetch_types: false, prepare: false })
    // Without a timeout, the driver would wait forever for a broken connection.
    cleanup.defer(() => sql.end({ timeout: 1 }))
    return sql
  }
  const sql = open()
  try {
    await sql.unsafe('select 1')
    await work(sql, open)
  } catch (error) {
    if (error instanceof StartError) throw error
    // The driver's messages may contain hosts and users, but never passwords.
    const reason = (error as Error).message.replace(
      NODE_HINT,
      '. Set sslrootcert to a file with its root certificate',
    )
    throw new StartError(`The database at DATABASE_URL can't be reached: ${reason}.`)
  }
}

// Node.js's own advice for unknown certificates.
const NODE_HINT = /; if the root CA is installed locally.*/

const unusable = (reason: string) => new StartError(`DATABASE_URL points to ${reason}`)

const SHARED =
  'a pooler that gives each transaction another session. Use the URL of the server itself, or set the pooler to session mode.'

const STATE = `
select current_setting('server_version_num')::integer / 10000 as major,
  -- A Supabase project's Auth has a different version of the same tables.
  to_regclass('auth.schema_migrations') is not null as is_supabase,
  current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only')::boolean as is_read_only,
  current_database() as name,
  current_user as role,
  has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create,
  (select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'private' and not pg_has_role(nspowner, 'usage')) as owner`

interface State {
  major: number
  is_supabase: boolean
  encoding: string
  is_read_only: boolean
  name: string
  role: string
  may_create: boolean
  /** The owner of the tracker's tables, unless the role has its rights. */
  owner: string | null
}

async function reasonAgainst(sql: Sql): Promise<string | undefined> {
  const [state] = await sql.unsafe<[State]>(STATE)
  const { major, encoding, name, role, owner } = state
  if (major < OLDEST_MAJOR) return `PostgreSQL ${major}. The tracker needs ${OLDEST_MAJOR} or later.`
  if (state.is_supabase) return "a Supabase project, which can't be used with npm start. See docs/deploy.md."
  if (encoding !== 'UTF8')
    return `a database with the encoding ${encoding}. Create one with: create database tracker encoding 'UTF8' template template0`
  if (state.is_read_only)
    return 'a server or database that is read-only, such as a standby. Use one that accepts writes.'
  if (owner !== null)
    return `tables that belong to the role "${owner}". Connect as that role, not as "${role}".`
  if (!state.may_create)
    return `a database in which the role "${role}" may not create tables. Make it the owner: alter database "${name}" owner to "${role}"`
  return undefined
}

/** Returns whether a pooler is in between: it hides the process id that PostgreSQL reports at the start of a session. */
async function isPooled(sql: Sql): Promise<boolean> {
  const result = await selectPid(sql)
  return result.state.pid !== result[0].pid
}

const ROUNDS = 3

/** Returns whether a pooler gives a session of PostgreSQL to different connections, or other ones to the same connection. */
async function sharesSessions(first: Sql, second: Sql): Promise<boolean> {
  const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()]
  const areShared = () => ofFirst.size > 1 || ofSecond.size > 1 || !ofFirst.isDisjointFrom(ofSecond)
  for (let round = 0; round < ROUNDS && !areShared(); round++) {
    ofFirst.add((await selectPid(first))[0].pid)
    // In statement mode, a pooler refuses transactions and closes the connection.
    const isOpen = await second.unsafe('begin').catch(() => undefined)
    if (!isOpen) return true
    ofSecond.add((await selectPid(second))[0].pid)
    // The pooler may have no other session.
    if (!areShared()) ofFirst.add((await selectPid(first))[0].pid)
    await second.unsafe('commit')
  }
  return areShared()
}

const selectPid = (sql: Sql) => sql.unsafe<[{ pid: number }]>('select pg_backend_pid() as pid')
