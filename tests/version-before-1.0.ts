// Fixtures from the version before 1.0, commit 978677d. Its migrations were packed with
// `git archive 978677d:supabase/migrations | gzip -9n`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrations, type Migration } from '../embedded/migration-files.ts'
import { temporaryFolder } from './running.ts'

const file = (name: string) => fileURLToPath(new URL(`version-before-1.0/${name}`, import.meta.url))

export async function migrationsBefore10(): Promise<Migration[]> {
  const { folder, remove } = await temporaryFolder()
  execFileSync('tar', ['-xzf', file('migrations.tar.gz'), '-C', folder])
  return readMigrations(folder).finally(remove)
}

/** SQL that edits every table of a migrated database with an account. */
export const EDITS_BEFORE_10 = readFileSync(file('edits.sql'), 'utf8')

/** A backup of the edited database, made by the version before 1.0. */
export const BACKUP_BEFORE_10 = file('backup.json')
