import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, expect, test } from 'vitest'
import {
  applyMigrations,
  MigrationFailed,
  readMigrations,
  type Migration,
} from '../../embedded/migrations.ts'
import { PLAIN_POSTGRES } from './databases.ts'

const migrations = await readMigrations(fileURLToPath(new URL('../../supabase/migrations', import.meta.url)))
const opened: PGlite[] = []
afterEach(() => Promise.all(opened.splice(0).map((database) => database.close())))

async function plainDatabase(): Promise<PGlite> {
  const database = new PGlite()
  opened.push(database)
  await database.exec(await readFile(PLAIN_POSTGRES, 'utf8'))
  return database
}

const ownerOf = async (database: PGlite) =>
  (await database.query<{ user_id: string }>('select user_id from private.owner')).rows.map(
    (row) => row.user_id,
  )

const first = '00000000-0000-0000-0000-00000000000a'
const second = '00000000-0000-0000-0000-00000000000b'

test('the one account of a project that exists already becomes the owner', async () => {
  const database = await plainDatabase()
  await database.exec(
    `insert into auth.users (id, is_anonymous) values (gen_random_uuid(), true), ('${first}', false)`,
  )
  await applyMigrations(database, migrations)
  expect(await ownerOf(database)).toEqual([first])
})

test('of several accounts none becomes the owner, and no later one does either', async () => {
  const database = await plainDatabase()
  await database.exec(`insert into auth.users (id) values ('${first}'), ('${second}')`)
  await applyMigrations(database, migrations)
  expect(await ownerOf(database)).toEqual([])
  await expect(database.exec('insert into auth.users (id) values (gen_random_uuid())')).rejects.toThrow(
    /private\.owner/,
  )
})

test('what is applied already is not applied again', async () => {
  const database = await plainDatabase()
  expect(await applyMigrations(database, migrations)).toHaveLength(migrations.length)
  expect(await applyMigrations(database, migrations)).toEqual([])
})

test('a migration that fails is named and leaves nothing behind', async () => {
  const database = await plainDatabase()
  const broken: Migration = {
    version: '20990101000000',
    name: 'break',
    sql: 'create table half (); select 1 / 0',
  }
  const attempt = applyMigrations(database, [...migrations, broken])
  await expect(attempt).rejects.toThrow(MigrationFailed)
  await expect(attempt).rejects.toThrow(
    'Migration 20990101000000_break failed and was undone: division by zero',
  )
  expect((await database.query(`select to_regclass('public.half') as half`)).rows).toEqual([{ half: null }])
  expect((await database.query(`select to_regclass('public.rides')::text as rides`)).rows).toEqual([
    { rides: 'rides' },
  ])
})
