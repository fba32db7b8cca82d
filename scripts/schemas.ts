import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { parsePlan, renderPlanFiles } from '@supabase/pg-delta'
import { catalog } from '../embedded/catalog.ts'
import { ROOT } from '../embedded/installation.ts'
import { readMigrations } from '../embedded/migrations.ts'
import { connect } from '../embedded/postgres/connect.ts'
import { createPlain, type CreatedDatabase } from '../tests/postgres.ts'
import { readRows, rowChanges } from './schema-rows.ts'

const PG_DELTA = path.join(ROOT, 'node_modules/@supabase/pg-delta/dist/cli/main.js')
// Leaves out roles, because pg-delta would name the one that it runs as.
const PROFILE = path.join(ROOT, 'scripts/pg-delta.json')

/** Reads supabase/schemas in the order of config.toml. */
export async function readSchemas(): Promise<string> {
  const config = await readFile(path.join(ROOT, 'supabase/config.toml'), 'utf8')
  const [, list] = /^schema_paths = \[([^\]]*)\]/m.exec(config)!
  const files = Array.from(list!.matchAll(/"(.+)"/g), ([, file]) => path.join(ROOT, 'supabase', file!))
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
}

/** Creates a database with everything in supabase/schemas. */
export const createFromSchemas = async () => createWith(await readSchemas())

/** Creates a database with everything in supabase/migrations. */
export const createFromMigrations = async () =>
  createWith((await readMigrations()).map(({ sql }) => sql).join('\n'))

/** Creates a database like a new Supabase project's and runs SQL in it, in one transaction. */
async function createWith(statements: string): Promise<CreatedDatabase> {
  const created = await createPlain()
  const sql = connect(created.url)
  await sql.begin((transaction) => transaction.unsafe(statements)).finally(() => sql.end())
  return created
}

/** Returns the SQL that changes the database at `from` to the one at `to`: its objects, and the rows that the schema has. */
export async function migrationBetween(from: string, to: string): Promise<string> {
  return [await objectChanges(from, to), await rowChanges(from, to)].filter(Boolean).join('\n')
}

async function objectChanges(from: string, to: string): Promise<string> {
  const options = ['plan', '--source', from, '--desired', to, '--profile', PROFILE, '--renames', 'off']
  const { stdout } = await promisify(execFile)(process.execPath, [PG_DELTA, ...options], {
    maxBuffer: 1 << 26,
  })
  const { files } = renderPlanFiles(parsePlan(stdout), { allowDrops: true })
  // A start runs all migrations in one transaction.
  if (files.some(({ transactional }) => !transactional))
    throw new Error('This change needs several transactions. Make it in smaller steps.')
  return files.map(({ contents }) => contents).join('\n')
}

/** Returns the end of a migration, if the schemas have a step for it (see private.fill_restored). */
export async function fillStep(url: string, name: string): Promise<string> {
  const step = `private.fill_${name}()`
  const sql = connect(url)
  const [found] = await sql`select to_regprocedure(${step}) is not null as exists`.finally(() => sql.end())
  if (!found!.exists) return ''
  return `
do $$
begin
  -- The journal only records what the owner changes.
  perform set_config('tracker.command', 'backup', true);
  perform ${step};
end
$$;
`
}

/** Lists the differences between two databases, as our own comparison and pg-delta see them. */
export async function differencesOf(from: string, to: string): Promise<string[]> {
  const sql = await migrationBetween(from, to)
  return [...(await factChanges(from, to)), ...(sql ? [sql] : [])]
}

/** Compares objects, privileges and rows without pg-delta, which has blind spots. */
export async function factChanges(from: string, to: string): Promise<string[]> {
  const [before, after] = await Promise.all([factsOf(from), factsOf(to)])
  return [
    ...[...before.difference(after)].map((fact) => `- ${fact}`),
    ...[...after.difference(before)].map((fact) => `+ ${fact}`),
  ]
}

async function factsOf(url: string): Promise<Set<string>> {
  const sql = connect(url)
  const objects = await sql.begin(catalog).finally(() => sql.end())
  const tables = await readRows(url)
  const rows = [...tables.values()].flatMap((table) =>
    [...table.rows.values()].map((row) => `row of ${table.name}: ${row}`),
  )
  return new Set([...objects, ...rows])
}
