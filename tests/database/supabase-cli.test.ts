import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseTypes, supabase, withMigratedDatabase } from '../../scripts/supabase-cli.ts'
import { createPostgres, serverUrl } from './databases.ts'

const committedTypes = await readFile(new URL('../../supabase/database.types.ts', import.meta.url), 'utf8')

test('database.types.ts is what the migrations give (npm run types writes it anew)', async () => {
  expect(await withMigratedDatabase((url) => databaseTypes(url))).toBe(committedTypes)
})

test('the advisors find nothing, and config.toml gives no warning', async () => {
  const { stdout, stderr } = await withMigratedDatabase((url) =>
    supabase('db', 'advisors', `--remote=${url}`),
  )
  expect(stdout.trim()).toMatch(/^(?:\[\]|No issues found)?$/)
  expect(stderr).not.toMatch(/warn/i)
})

describe.runIf(serverUrl)('on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createPostgres>>
  beforeAll(async () => {
    database = await createPostgres(serverUrl!)
  })
  afterAll(() => database.close())

  test('db push applies every migration, and then has nothing left to do', async () => {
    await supabase('db', 'push', '--yes', `--remote=${database.url}`)
    const again = await supabase('db', 'push', '--yes', `--remote=${database.url}`)
    expect(again.stdout + again.stderr).toMatch(/up to date/)
  })

  test('the types and the advisors agree with PGlite', async () => {
    expect(await databaseTypes(database.url)).toBe(committedTypes)
    const { stdout } = await supabase('db', 'advisors', `--remote=${database.url}`)
    expect(stdout.trim()).toMatch(/^(?:\[\]|No issues found)?$/)
  })
})
