import { readdir } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prepareTracker, type Prepared } from '../tests/postgres.ts'
import { backUp } from './backup/export.ts'
import { connect } from './postgres/connect.ts'
import { readSettings, type Settings, StartError } from './settings.ts'
import { switchAccount } from './switch-account.ts'

vi.mock('./backup/export.ts', { spy: true })

let prepared: Prepared
let sql: Sql
beforeEach(async () => {
  prepared = await prepareTracker()
  sql = connect(prepared.environment.DATABASE_URL)
})
afterEach(async () => {
  await sql.end()
  await prepared.remove()
})

/** Tries to switch the account. Returns the error. */
async function failToSwitch(changes: Partial<Settings> = {}): Promise<unknown> {
  const settings = readSettings(prepared.environment, { dev: false })
  return switchAccount({ ...settings, account: 'owner', ...changes }).catch((error: unknown) => error)
}

const rides = () => sql`select id::integer from public.rides`

test('removes nothing if the backup fails', async () => {
  await sql`insert into public.rides (id) values (1)`
  const full = new StartError('The disk is full.')
  vi.mocked(backUp).mockRejectedValueOnce(full)
  expect(await failToSwitch()).toBe(full)
  expect(await rides()).toEqual([{ id: 1 }])
})

test('reports why the database failed', async () => {
  await sql`insert into public.rides (id) values (1)`
  await sql.unsafe(`
    create function private.fail() returns trigger language plpgsql as $$ begin raise 'the disk is on fire'; end $$;
    create trigger fail before delete on public.rides for each row execute function private.fail()`)
  expect(await failToSwitch()).toEqual(
    new StartError('Nothing was switched or removed: the disk is on fire.'),
  )
  expect(await rides()).toEqual([{ id: 1 }])
})

test('reports when there is nothing to switch', async () => {
  const { TRACKER_DATA_DIR } = prepared.environment
  const nothing = new StartError(
    `There is nothing to switch: ${TRACKER_DATA_DIR} has no data from a real account.`,
  )
  expect(await failToSwitch()).toEqual(nothing)
  expect(await failToSwitch({ databaseUrl: undefined })).toEqual(nothing)

  expect(await readdir(TRACKER_DATA_DIR)).toEqual(['owner-keys.json'])
})
