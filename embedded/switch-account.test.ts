import type { Sql } from 'postgres'
import { expect, test, vi } from 'vitest'
import { createMigrated } from '../tests/postgres.ts'
import { temporaryFolder } from '../tests/running.ts'
import { backUp } from './backup/export.ts'
import { connect } from './postgres/connect.ts'
import { readSettings, StartError } from './settings.ts'
import { switchAccount } from './switch-account.ts'

vi.mock('./backup/export.ts', { spy: true })

/** Switches the account of a database with one ride, and expects a failure that removes nothing. */
async function expectFailure(message: string, prepare: (sql: Sql) => unknown): Promise<void> {
  const { folder, remove } = await temporaryFolder()
  const { url, drop } = await createMigrated()
  const sql = connect(url)
  await sql`insert into public.rides (id) values (1)`
  await prepare(sql)
  const settings = readSettings({ DATABASE_URL: url, TRACKER_DATA_DIR: folder }, { dev: false })
  await expect(switchAccount({ ...settings, account: 'owner' })).rejects.toThrow(new StartError(message))
  expect(await sql`select id::integer from public.rides`).toEqual([{ id: 1 }])
  await sql.end()
  await Promise.all([drop(), remove()])
}

test('removes nothing if the backup fails', async () => {
  await expectFailure('The disk is full.', () => {
    vi.mocked(backUp).mockRejectedValueOnce(new StartError('The disk is full.'))
  })
})

test('says why if the database fails', async () => {
  await expectFailure('Nothing was switched or removed: the disk is on fire.', (sql) =>
    sql.unsafe(`
      create function private.fail() returns trigger language plpgsql as $$ begin raise 'the disk is on fire'; end $$;
      create trigger fail before delete on public.rides for each row execute function private.fail()`),
  )
})
