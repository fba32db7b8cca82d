// Fixtures from the last preview of version 1.0, commit 29666617: its migrations, packed with
// `git archive 29666617:supabase/migrations | gzip -9n`, and the rows and the backup of a tracker that it ran. Its owner set up
// bikes, replaced, moved and stored parts, did service, measured, undid, imported and dismissed. The rows are from
// `pg_dump --data-only --column-inserts --schema=auth --schema=public --schema=private`, without its settings and comments.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrations, type Migration } from '../embedded/migration-files.ts'
import { temporaryFolder } from './running.ts'

const file = (name: string) => fileURLToPath(new URL(`preview-1.0/${name}`, import.meta.url))

export async function previewMigrations(): Promise<Migration[]> {
  const { folder, remove } = await temporaryFolder()
  execFileSync('tar', ['-xzf', file('migrations.tar.gz'), '-C', folder])
  return readMigrations(folder).finally(remove)
}

const rows = readFileSync(file('rows.sql'), 'utf8')
const ownTables = rows.indexOf('INSERT INTO private')

/** SQL that inserts the account, whose password is "password", into Supabase Lite's tables. */
export const PREVIEW_ACCOUNT = rows.slice(0, ownTables)

const triggers = (state: string) => `do $$ declare tracked regclass; begin
  for tracked in select oid from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace) loop
    execute format('alter table %s ${state} trigger user', tracked);
  end loop;
end $$;`

/** SQL that inserts rows into every table of the tracker. Its owner is the account. */
export const PREVIEW_ROWS = `${triggers('disable')} delete from private.owner; ${rows.slice(ownTables)} ${triggers('enable')}`

/** The account's id. */
export const PREVIEW_OWNER = /INSERT INTO private\.owner .* VALUES \(true, '([^']+)'/.exec(rows)![1]!

/** A backup of these rows. */
export const PREVIEW_BACKUP = file('backup.json')
