import { expect, test, vi } from 'vitest'
import { createMigrated } from '../tests/postgres.ts'
import { temporaryFolder } from '../tests/running.ts'
import { backUp } from './backup/export.ts'
import { connect } from './postgres/connect.ts'
import { readSettings, StartError } from './settings.ts'
import { switchAccount } from './switch-account.ts'

vi.mock('./backup/export.ts', { spy: true })

test('removes nothing if the backup fails', async () => {
  vi.mocked(backUp).mockRejectedValue(new StartError('The disk is full.'))
  const { folder, remove } = await temporaryFolder()
  const { url, drop } = await createMigrated()
  const sql = connect(url)
  await sql`insert into public.rides (id) values (1)`
  const settings = readSettings({ DATABASE_URL: url, TRACKER_DATA_DIR: folder }, { dev: false })
  await expect(switchAccount({ ...settings, account: 'owner' })).rejects.toThrow('The disk is full.')
  expect(await sql`select id::integer from public.rides`).toEqual([{ id: 1 }])
  await sql.end()
  await Promise.all([drop(), remove()])
})
