import path from 'node:path'
import type { Sql } from 'postgres'
import { type BackupPiece, backupText } from '../../src/lib/backup-file.ts'
import { writeAtomically } from './file.ts'
import { isPreview, LIST_ROWS, READ_ROWS } from './preview.ts'

type Session = Pick<Sql, 'unsafe'>

const PIECE = 1000

const READ = `
select (select max(version) from supabase_migrations.schema_migrations) as schema, tables, last as next
from private.backup_rows($1, $2)`

/** Writes all data from one snapshot to a backup file. PostgreSQL formats it, so equal data gives equal bytes. */
export async function backUp(sql: Sql, file: string): Promise<void> {
  if (await isPreview(sql)) return backUpPreview(sql, file)
  await sql.begin('isolation level repeatable read read only', (transaction) =>
    writeBackup(transaction, file, READ),
  )
}

/** Writes the pieces that a statement reads to a file. */
export const writeBackup = (session: Session, file: string, statement: string): Promise<void> =>
  writeAtomically(
    file,
    backupText(async (after) => {
      const [piece] = await session.unsafe<[BackupPiece]>(statement, [PIECE, after])
      return piece
    }),
  )

async function backUpPreview(sql: Sql, file: string): Promise<void> {
  const undo = new Error('undo')
  await sql
    .begin(async (transaction) => {
      await transaction.unsafe(LIST_ROWS)
      await writeBackup(transaction, file, READ_ROWS)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
}

export async function hasRows(sql: Sql): Promise<boolean> {
  const [first] = await sql`select last from private.backup_rows(1, null)`
  return first!.last !== null
}

/** Returns the default path of a backup: `<prefix>-backup-<time>-<schema>.json`. */
export function backupFile(prefix: string, schema: string, now = new Date()): string {
  const time = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return path.resolve(`${prefix}-backup-${time}-${schema}.json`)
}
