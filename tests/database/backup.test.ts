import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyMigrations, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { supabase } from '../../scripts/supabase-cli.ts'
import { backupOf, scriptOf } from '../backups.ts'
import { openMigratedDatabase, openPlain, type TestDatabase } from './databases.ts'

// embedded/backup/backup.test.ts tests what both ways to restore have in common.
test('the Supabase CLI restores a backup of the embedded stack, and exporting it again gives the same bytes', async () => {
  const hosted = await openPlain()
  const sql = connect(hosted.url)
  await applyMigrations(sql, await readMigrations()).finally(() => sql.end())
  const embedded = await openMigratedDatabase()
  await embedded.run(`
    insert into public.bikes values (1, 'Oma''s "Rad" \\ $1 :name');
    insert into public.maintenance ("bikeId", name, cost) select 1, 'Chain ' || n, n / 4.0 from generate_series(1, 30) as n;
    insert into public.rides (id, gear_id, departed_at, distance)
      select n, 1, '2020-01-01'::timestamptz + n * interval '7 hours', n * 1.10 from generate_series(1, 3000) as n;
    insert into public.ride_syncs (triggered_by, outcome, finished_at) values ('owner', 'ok', now());
  `)
  const backup = await exportedFrom(embedded)
  const folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  const file = path.join(folder, 'restore.sql')
  await writeFile(file, await scriptOf(backup, false))
  await supabase('db', 'query', '--yes', '--file', file, `--remote=${hosted.url}`)
  expect(await exportedFrom(hosted)).toBe(backup)
  await Promise.all([embedded.close(), hosted.close(), rm(folder, { recursive: true })])
})

async function exportedFrom({ url }: TestDatabase): Promise<string> {
  const sql = connect(url)
  return backupOf(sql).finally(() => sql.end())
}
