// `npm run migration <name>`: writes the next migration, from the difference between supabase/migrations and supabase/schemas.
import { writeFile } from 'node:fs/promises'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { readMigrations } from '../embedded/migrations.ts'
import { StartError } from '../embedded/settings.ts'
import { startTestServer } from '../tests/postgres.ts'
import {
  createFromMigrations,
  createFromSchemas,
  differencesOf,
  fillStep,
  migrationBetween,
} from './schemas.ts'

const { args } = readCommandLine({
  name: 'migration',
  about:
    'Writes the next file of supabase/migrations, so that the migrations lead to supabase/schemas again.',
  usage: '<name>',
  maxArguments: 1,
})

await runCommand(async () => {
  const [name = ''] = args
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new StartError('Name the migration by what it does, in lower case with underscores.')
  // Every PostgreSQL version prints views in its own way, so always use npm's.
  delete process.env.TEST_DATABASE_URL
  await using stopping = new AsyncDisposableStack()
  stopping.defer(await startTestServer())
  const [before, after] = [await createFromMigrations(), await createFromSchemas()]
  const sql = await migrationBetween(before.url, after.url)
  if (!sql) throw new StartError('The migrations lead to supabase/schemas already.')
  const file = `supabase/migrations/${await nextVersion()}_${name}.sql`
  await writeFile(file, sql + (await fillStep(after.url, name)))
  console.log(`Wrote ${file}. Review it.`)

  const left = await differencesOf((await createFromMigrations()).url, after.url)
  if (left.length > 0)
    throw new StartError(`Complete it by hand. These differences are left:\n${left.join('\n')}`)
})

/** Returns the current time, or a later one if a migration has that already. */
async function nextVersion(): Promise<string> {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const newest = (await readMigrations()).at(-1)!.version
  return now > newest ? now : String(BigInt(newest) + 1n)
}
