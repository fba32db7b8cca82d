import type { Sql } from 'postgres'
import { hasRows } from './backup/export.ts'
import { backUp, backupFile } from './backup/folder.ts'
import { commandLine } from './installation.ts'
import { appliedVersions, type Migration } from './migrations.ts'
import { StartError } from './settings.ts'

/**
 * Prepares a database for migrations. Throws a StartError if a newer tracker has migrated it. Backs up a database with rows
 * to a file whose name starts with `backupPrefix`.
 */
export async function prepareUpgrade(sql: Sql, backupPrefix: string, migrations: Migration[]): Promise<void> {
  const applied = await appliedVersions(sql)
  const unknown = applied.find((version) => !migrations.some((migration) => migration.version === version))
  if (unknown) {
    throw new StartError(
      `The database has migration ${unknown}, which this version of the tracker doesn't have. ` +
        'Start the version that created it. Or move the data: run ' +
        `${commandLine('backup')} tracker.json with that version, then ${commandLine('restore')} tracker.json with this one and TRACKER_DATA_DIR set to an empty folder.`,
    )
  }
  const newest = applied.at(-1)
  if (newest === undefined || applied.length === migrations.length || !(await hasRows(sql))) return
  const file = backupFile(backupPrefix, newest)
  await backUp(sql, file)
  console.log(`Backed up before the upgrade: ${file}`)
}
