import type { PGlite } from '@electric-sql/pglite'
import { hasRows } from './backup/export.ts'
import { backUp, backupFile } from './backup/folder.ts'
import { appliedVersions, type Migration } from './migrations.ts'
import { StartError } from './settings.ts'

/**
 * What has to happen before migrations touch the database in `folder`: one of a newer tracker is refused with a StartError,
 * and one that holds something is backed up beside its folder.
 */
export async function prepareUpgrade(
  database: PGlite,
  folder: string,
  migrations: Migration[],
): Promise<void> {
  const applied = await appliedVersions(database)
  const unknown = applied.find((version) => !migrations.some((migration) => migration.version === version))
  if (unknown) {
    throw new StartError(
      `The database in ${folder} has the migration ${unknown}, which this version of the tracker does not know; ` +
        'start the version that made it, or a newer one.',
    )
  }
  const newest = applied.at(-1)
  if (newest === undefined || applied.length === migrations.length || !(await hasRows(database))) return
  const file = backupFile(folder, newest)
  await backUp(database, file)
  console.log(`Backed up before the upgrade: ${file}`)
}
