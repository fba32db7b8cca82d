import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appliedVersions, applyMigrations, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { repairs } from '../../scripts/deploy/repair.ts'
import { factChanges } from '../../scripts/schemas.ts'
import { databaseTypes, supabase } from '../../scripts/supabase-cli.ts'
import { formerMigrations } from '../version-1.0.ts'
import { openMigratedDatabase, openPlain, type TestDatabase } from './databases.ts'

const committedTypes = await readFile(new URL('../../supabase/database.types.ts', import.meta.url), 'utf8')
const NO_ISSUES = /^(?:\[\]|No issues found)?$/

let push: Awaited<ReturnType<typeof supabase>>
let pushed: TestDatabase
let migrated: TestDatabase
beforeAll(async () => {
  pushed = await openPlain()
  migrated = await openMigratedDatabase()
  push = await supabase('db', 'push', '--yes', `--remote=${pushed.url}`)
})
afterAll(() => Promise.all([pushed.close(), migrated.close()]))

test('database.types.ts matches the migrations (npm run types regenerates it)', async () => {
  expect(await databaseTypes(migrated.url)).toBe(committedTypes)
})

test('the advisors find no issues, and config.toml causes no warnings', async () => {
  const { stdout, stderr } = await supabase('db', 'advisors', `--remote=${pushed.url}`)
  expect(stdout.trim()).toMatch(NO_ISSUES)
  expect(stderr).not.toMatch(/warn/i)
})

test('a project from before the migrations became one is repaired as npm run deploy says', async () => {
  const project = await openPlain()
  const sql = connect(project.url)
  await applyMigrations(sql, formerMigrations)
  const remote = `--remote=${project.url}`
  await expect(supabase('db', 'push', '--yes', remote)).rejects.toThrow('not found in local')
  for (const args of await repairs(remote)) await supabase(...args, '--yes')
  await supabase('db', 'push', '--yes', remote)
  expect(await appliedVersions(sql)).toEqual((await readMigrations()).map(({ version }) => version))
  expect(await factChanges(project.url, pushed.url)).toEqual([])
  await sql.end()
  await project.close()
})

test('db push applies every migration without warnings, and records its version', async () => {
  expect(push.stdout + push.stderr).not.toMatch(/warn/i)
  const files = await readdir(new URL('../../supabase/migrations', import.meta.url))
  const [applied] = await pushed.run('select version from supabase_migrations.schema_migrations order by 1')
  expect(applied).toEqual(files.toSorted().map((file) => ({ version: file.split('_')[0] })))
})
