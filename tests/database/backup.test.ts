import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyMigrations, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { supabase } from '../../scripts/supabase-cli.ts'
import { backupOf, scriptOf } from '../backups.ts'
import { openMigratedDatabase, openPlain, type TestDatabase } from './databases.ts'

describe('restoring a backup of the embedded stack in another PostgreSQL database', () => {
  let hosted: TestDatabase
  let folder: string
  let backup: string

  beforeAll(async () => {
    hosted = await openPlain()
    const sql = connect(hosted.url)
    await applyMigrations(sql, await readMigrations()).finally(() => sql.end())
    folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))

    const embedded = await openMigratedDatabase()
    await embedded.run(`
      insert into public.bikes values (1, 'Oma''s "Rad" \\ $1 :name');
      insert into public.maintenance ("bikeId", name, cost) select 1, 'Chain ' || n, n / 4.0 from generate_series(1, 30) as n;
      insert into public.rides (id, gear_id, departed_at, distance)
        select n, 1, '2020-01-01'::timestamptz + n * interval '7 hours', n * 1.10 from generate_series(1, 3000) as n;
      insert into public.ride_syncs (triggered_by, outcome, finished_at) values ('owner', 'ok', now());
    `)
    backup = await exportedFrom(embedded)
    await embedded.close()
  })
  afterAll(async () => {
    await hosted.close()
    await rm(folder, { recursive: true })
  })

  const script = (replace: boolean) => scriptOf(backup, replace)

  test('works with the Supabase CLI, and exports the same bytes again', async () => {
    const file = path.join(folder, 'restore.sql')
    await writeFile(file, await script(false))
    await supabase('db', 'query', '--yes', '--file', file, `--remote=${hosted.url}`)
    expect(await exportedFrom(hosted)).toBe(backup)
  })

  test('refuses a database with rows unless replace is set', async () => {
    await hosted.run(`update public.bikes set name = 'Mine'`)
    await expect(hosted.run(await script(false))).rejects.toThrow(/Nothing was changed/)
    expect(await hosted.run('select name from public.bikes')).toEqual([[{ name: 'Mine' }]])
    await hosted.run(await script(true))
    expect(await exportedFrom(hosted)).toBe(backup)
  })

  test('gives the next item a new id', async () => {
    const [rows] = await hosted.run(
      `insert into public.maintenance ("bikeId", name) values (1, 'New') returning id::integer`,
    )
    expect(rows).toEqual([{ id: 31 }])
  })
})

async function exportedFrom({ url }: TestDatabase): Promise<string> {
  const sql = connect(url)
  return backupOf(sql).finally(() => sql.end())
}
