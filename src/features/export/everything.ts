import type { Client } from '../../lib/backend.ts'
import { BACKUP_TABLES, type BackupTable, backupText } from '../../lib/backup-file.ts'
import { readBackupPage } from './api.ts'

/** How many rows of a table were read, of how many. */
export type Progress = { table: BackupTable; read: number; total: number }

/** Everything, as the text of a backup file. The log is read before the bikes, so that none of its bikes can be missing. */
export async function readEverything(
  client: Client,
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const rowsByTable = new Map<BackupTable, string[]>()
  let schema = ''
  for (const table of BACKUP_TABLES.toReversed()) {
    const rows: string[] = []
    let page = await readBackupPage(client, table, null, signal)
    const { total } = page
    schema = page.schema
    while (page.last !== null) {
      rows.push(...page.rows)
      tell({ table, read: rows.length, total: Math.max(total ?? 0, rows.length) })
      page = await readBackupPage(client, table, page.last, signal)
    }
    rowsByTable.set(table, rows)
  }
  return backupText(schema, rowsByTable)
}
