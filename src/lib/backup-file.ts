/**
 * The backup file format: JSON with one row per line. `npm run backup` and Export write it; `npm run restore` reads it.
 * PostgreSQL formats the rows, because large numbers lose digits in JavaScript.
 */

export const BACKUP_FORMAT = 'rwgps-maintenance-tracker backup'
export const BACKUP_VERSION = 1

/** The answer of the SQL function `backup`. */
export interface BackupPiece {
  /** The version of the database's newest migration. */
  schema: string
  /** Lines by table. A table without rows is listed, too. */
  tables: Record<string, string[]>
  /** The last row, after which the next piece starts. Null: the backup is complete. */
  next: string | null
}

/** Reads a backup in pieces, so it is never in memory as a whole, and formats it as a backup file. */
export async function* backupText(
  read: (after: string | null) => Promise<BackupPiece>,
): AsyncGenerator<string> {
  let table: string | undefined
  let after: string | null = null
  let separator = ''
  do {
    const { schema, tables, next } = await read(after)
    if (table === undefined) {
      yield `{\n"format": ${JSON.stringify(BACKUP_FORMAT)},\n"version": ${BACKUP_VERSION},\n"schema": ${JSON.stringify(schema)}`
    }
    for (const [name, lines] of Object.entries(tables)) {
      if (name !== table) {
        yield `${table === undefined ? '' : '\n]'},\n${JSON.stringify(name)}: [`
        separator = '\n'
      }
      table = name
      if (lines.length > 0) yield separator + lines.join(',\n')
      if (lines.length > 0) separator = ',\n'
    }
    after = next
  } while (after !== null)
  yield '\n]\n}\n'
}
