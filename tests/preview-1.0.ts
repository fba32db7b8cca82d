// Fixtures from the last preview of version 1.0, commit 29666617: its migrations, and the rows and the backup of a tracker that
// it ran. Its owner set up bikes, replaced, moved and stored parts, did service, measured, undid, imported and dismissed. The
// rows are from `pg_dump --data-only --column-inserts --schema=auth --schema=public --schema=private`, without its settings and
// comments.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '../embedded/migrations.ts'
import { temporaryFolder } from './running.ts'

const { folder, remove } = await temporaryFolder()
execFileSync('tar', ['-xzf', fileURLToPath(new URL('preview-1.0.tar.gz', import.meta.url)), '-C', folder])
const rows = readFileSync(path.join(folder, 'rows.sql'), 'utf8')

/** A backup of the rows. */
export const PREVIEW_BACKUP = readFileSync(path.join(folder, 'backup.json'), 'utf8')

export const previewMigrations = await readMigrations(path.join(folder, 'migrations'))
await remove()

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
