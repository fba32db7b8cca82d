// Fixtures from the last preview of version 1.0, commit 3b84a2e3: its migrations, and the rows and the backup of a tracker that
// it ran. Its owner set up bikes, replaced, moved and stored parts, did service, measured, undid, imported and dismissed, uses
// kilometers and euros, and has two tokens.
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

/** SQL that inserts the account, whose password is "password", into Supabase Lite's tables. */
export const PREVIEW_ACCOUNT = readFileSync(path.join(folder, 'account.sql'), 'utf8')

export const previewMigrations = await readMigrations(path.join(folder, 'migrations'))
await remove()

const triggers = (state: string) => `do $$ declare tracked regclass; begin
  for tracked in select oid from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace) loop
    execute format('alter table %s ${state} trigger user', tracked);
  end loop;
end $$;`

/** SQL that inserts rows into every table of the tracker. Its owner is the account. */
export const PREVIEW_ROWS = `${triggers('disable')} delete from private.owner; ${rows} ${triggers('enable')}`

/** The account's id. */
export const PREVIEW_OWNER = /"user_id":"([^"]+)"/.exec(rows)![1]!
