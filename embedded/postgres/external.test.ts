import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmpty, type CreatedDatabase } from '../../tests/postgres.ts'
import { recordAccount } from '../account.ts'
import { RIDER } from '../../sample/rider.ts'
import { StartError } from '../settings.ts'
import { connect } from './connect.ts'
import { requireUsable } from './external.ts'

let database: CreatedDatabase
let name: string
const cleanUps: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await createEmpty()
  name = new URL(database.url).pathname.slice(1)
})
afterEach(async () => {
  await database.drop()
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** Runs statements as the test server's superuser. */
async function asAdmin(...statements: string[]): Promise<void> {
  const sql = connect(database.url)
  for (const statement of statements) await sql.unsafe(statement)
  await sql.end()
}

/** Creates a role that owns the database. Returns its name and URL. */
async function createOwner(rights = 'createrole bypassrls') {
  const role = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(`create role ${role} login ${rights}`, `alter database ${name} owner to ${role}`)
  cleanUps.push(async () => {
    const { url, drop } = await createEmpty()
    const sql = connect(url)
    await sql.unsafe(`drop role ${role}`)
    await sql.end()
    await drop()
  })
  const url = new URL(database.url)
  url.username = role
  return { role, url: url.href }
}

const reasonAgainst = (url = database.url, account: 'sample' | 'owner' = 'owner') =>
  requireUsable(url, account).then(
    () => undefined,
    (error: unknown) => (error instanceof StartError ? error.message : error),
  )

test('accepts an empty database', async () => {
  expect(await reasonAgainst()).toBeUndefined()
})

test('reports an unreachable database without printing its password', async () => {
  expect(await reasonAgainst('postgresql://owner:secret-word@127.0.0.1:9/tracker')).toBe(
    "The database at DATABASE_URL can't be reached: connect ECONNREFUSED 127.0.0.1:9.",
  )
})

test("rejects a Supabase project's database", async () => {
  await asAdmin('create schema auth', 'create table auth.schema_migrations (version text)')
  expect(await reasonAgainst()).toBe(
    "DATABASE_URL points to a Supabase project, which can't be used with npm start. See docs/deploy.md.",
  )
})

test('rejects a database that is not UTF-8', async () => {
  await asAdmin(`create database ${name}_latin encoding 'LATIN1' locale 'C' template template0`)
  cleanUps.push(() => asAdminOf(`drop database ${name}_latin`))
  const url = new URL(database.url)
  url.pathname += '_latin'
  expect(await reasonAgainst(url.href)).toBe(
    "DATABASE_URL points to a database with the encoding LATIN1. Create one with: create database tracker encoding 'UTF8' template template0",
  )
})

async function asAdminOf(statement: string): Promise<void> {
  const { url, drop } = await createEmpty()
  const sql = connect(url)
  await sql.unsafe(statement)
  await sql.end()
  await drop()
}

test('rejects a read-only database', async () => {
  await asAdmin(`alter database ${name} set default_transaction_read_only = on`)
  expect(await reasonAgainst()).toBe(
    'DATABASE_URL points to a server or database that is read-only, such as a standby. Use one that accepts writes.',
  )
})

test('rejects a role that may not create tables or use those of another role', async () => {
  const { role, url } = await createOwner()
  await asAdmin(`alter database ${name} owner to current_user`)
  expect(await reasonAgainst(url)).toBe(
    `DATABASE_URL points to a database in which the role "${role}" may not create tables. Make it the owner: alter database "${name}" owner to "${role}"`,
  )
  await asAdmin(`alter database ${name} owner to ${role}`, 'create schema private')
  expect(await reasonAgainst(url)).toMatch(
    new RegExp(
      `^DATABASE_URL points to tables that belong to the role "\\w+"\\. Connect as that role, not as "${role}"\\.$`,
    ),
  )
})

test.each([
  ['sample', 'owner', 'holds the sample. Set DATABASE_URL to an empty database for your own rides.'],
  [
    'owner',
    'sample',
    'holds your own rides, but no Ride with GPS credentials are set. Run npm run connect, or set',
  ],
] as const)(
  'rejects a database with the data of the account %s for the account %s',
  async (stored, wanted, message) => {
    await asAdmin('create schema supabase_migrations')
    const sql = connect(database.url)
    await recordAccount(sql, stored)
    await recordAccount(sql, wanted)
    await sql.end()
    expect(await reasonAgainst(database.url, stored)).toBeUndefined()
    expect(await reasonAgainst(database.url, wanted)).toContain(`The database at DATABASE_URL ${message}`)
  },
)

test.each([
  [RIDER, 'sample', 'owner'],
  [RIDER + 1, 'owner', 'sample'],
] as const)(
  'knows by the last sync of the user %i that a database of 1.0.0 has the account %s',
  async (user, stored, other) => {
    await asAdmin(
      'create table public.ride_syncs (id int, rwgps_user_id bigint)',
      `insert into public.ride_syncs values (1, 5), (2, ${user}), (3, null)`,
    )
    expect(await reasonAgainst(database.url, stored)).toBeUndefined()
    expect(await reasonAgainst(database.url, other)).toContain('The database at DATABASE_URL holds')
  },
)

test("names the statements for the server's administrator, after which the role works", async () => {
  const { role, url } = await createOwner('createrole')
  // Other tests use these roles of the server, which another role created.
  const statement = `grant anon, authenticated, service_role to ${role};`
  expect(await reasonAgainst(url)).toMatch(
    new RegExp(
      `^The role of DATABASE_URL may not create the roles that the tracker needs \\(permission denied[^)]+\\)\\. Have the server's administrator run this once in the database, then start again:\n  ${statement}$`,
    ),
  )
  await asAdmin(statement)
  expect(await reasonAgainst(url)).toBeUndefined()
})
