import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { dollarQuoted } from './dollar-quoted.ts'
import { commandLine, ROOT } from './installation.ts'
import type { Migration } from './migration-files.ts'
import { StartError } from './settings.ts'

// The SQLSTATE of errors whose message is for the owner.
const REFUSED = 'RMT06'

/** Instructions for moving the data of a database that this version can't open. */
export const MOVE_DATA =
  `Or move the data: run ${commandLine('backup')} tracker.json with the version that created the database, then ` +
  `${commandLine('restore')} tracker.json with this one and TRACKER_DATA_DIR set to an empty folder, or DATABASE_URL to an empty database.`

const read = (file: string) => readFile(path.join(ROOT, 'supabase/upgrade', file), 'utf8')

/** Returns SQL that upgrades a database from before version 1.0 and leaves others unchanged: one statement, so it is atomic. */
export async function upgradeScript(migrations: Migration[]): Promise<string> {
  const [check, moveTables, copyRows] = await Promise.all(
    ['1_check.sql', '2_move_tables.sql', '3_copy_rows.sql'].map(read),
  )
  const rows = migrations.map(({ version, name, sql }) => `('${version}', '${name}', ${dollarQuoted(sql)})`)
  const body = `
declare
  migration record;
  others text;
begin
  execute ${dollarQuoted(check!)};
  execute ${dollarQuoted(moveTables!)};
  for migration in select * from (values ${rows.join(', ')}) as migrations (version, name, sql) order by version loop
    execute migration.sql;
    insert into supabase_migrations.schema_migrations (version, name, statements)
    values (migration.version, migration.name, array[migration.sql]);
  end loop;
  execute ${dollarQuoted(copyRows!)};
exception
  when sqlstate '${REFUSED}' then
    -- Raise the error again without its context, which would contain the script.
    raise exception using errcode = sqlstate, message = sqlerrm;
  when dependent_objects_still_exist then
    get stacked diagnostics others = pg_exception_detail;
    raise exception 'The database can''t be upgraded, because something else uses the tracker''s tables or functions: %. Remove it first. Nothing was changed.',
      replace(replace(others, '_before_1_0', ''), E'\\n', ', ')
      using errcode = '${REFUSED}';
end
`
  return `do ${dollarQuoted(body)};\n`
}

/** Throws a StartError unless the last version before 1.0 created the database. */
export const requireUpgradable = async (sql: Sql) => run(sql, await read('1_check.sql'))

/** Upgrades a database in one transaction. Throws a StartError if that fails. */
export const upgrade = async (sql: Sql, migrations: Migration[]) => run(sql, await upgradeScript(migrations))

async function run(sql: Sql, statement: string): Promise<void> {
  try {
    await sql.unsafe(statement)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === REFUSED) throw new StartError(`${message} ${MOVE_DATA}`)
    throw new StartError(`The upgrade failed and was undone: ${message}.`, { cause: error })
  }
}
