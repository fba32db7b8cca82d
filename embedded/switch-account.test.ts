import type { Sql } from 'postgres'
import { expect, test, vi } from 'vitest'
import { createMigrated } from '../tests/postgres.ts'
import { temporaryFolder } from '../tests/running.ts'
import { backUp } from './backup/export.ts'
import { connect } from './postgres/connect.ts'
import { readSettings, StartError } from './settings.ts'
import { switchAccount } from './switch-account.ts'

vi.mock('./backup/export.ts', { spy: true })

/** Switches the account of a database with one ride. Returns the error and the remaining rides. */
async function failToSwitch(prepare: (sql: Sql) => unknown) {
  const { folder, remove } = await temporaryFolder()
  const { url, drop } = await createMigrated()
  const sql = connect(url)
  await sql`insert into public.rides (id) values (1)`
  await prepare(sql)
  const settings = readSettings({ DATABASE_URL: url, TRACKER_DATA_DIR: folder }, { dev: false })
  const error: unknown = await switchAccount({ ...settings, account: 'owner' }).catch(
    (reason: unknown) => reason,
  )
  const rides = await sql`select id::integer from public.rides`
  await sql.end()
  await Promise.all([drop(), remove()])
  return [error, rides]
}

test('removes nothing if the backup fails', async () => {
  const full = new StartError('The disk is full.')
  expect(await failToSwitch(() => vi.mocked(backUp).mockRejectedValueOnce(full))).toEqual([full, [{ id: 1 }]])
})

test('reports why the database failed', async () => {
  const failure = await failToSwitch((sql) =>
    sql.unsafe(`
      create function private.fail() returns trigger language plpgsql as $$ begin raise 'the disk is on fire'; end $$;
      create trigger fail before delete on public.rides for each row execute function private.fail()`),
  )
  const message = 'Nothing was switched or removed: the disk is on fire.'
  expect(failure).toEqual([expect.objectContaining({ message }), [{ id: 1 }]])
  expect(failure[0]).toBeInstanceOf(StartError)
})
