import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { BACKUP_TABLES, type BackupTable, backupText } from '../../lib/backup-file.ts'
import { unwrap } from '../../lib/errors.ts'

type Progress = { table: BackupTable; read: number; total: number }

/** Reads all tables into the text of a backup file. Bikes are read last, so no log entry lacks its bike. */
export async function readBackup(
  client: Client,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const rowsByTable = new Map<BackupTable, string[]>()
  let schema = ''
  for (const table of BACKUP_TABLES.toReversed()) {
    const rows: string[] = []
    let page = await readPage(client, table, null, signal)
    const { total } = page
    schema = page.schema
    while (page.last !== null) {
      rows.push(...page.rows)
      onProgress({ table, read: rows.length, total: Math.max(total ?? 0, rows.length) })
      page = await readPage(client, table, page.last, signal)
    }
    rowsByTable.set(table, rows)
  }
  return backupText(schema, rowsByTable)
}

const Page = v.object({
  schema: v.string(),
  rows: v.array(v.string()),
  /** The key of the last row, as text because it may have more digits than a number can hold. */
  last: v.nullable(v.string()),
  /** The number of rows in the table; only on the first page. */
  total: v.nullable(v.number()),
})

/** Reads up to 1,000 rows after a key, as lines of a backup file. */
async function readPage(
  client: Client,
  relation: BackupTable,
  after: string | null,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof Page>> {
  // The generated type of the key is number, but text is sent unchanged.
  const key = after === null ? {} : { after: after as unknown as number }
  return v.parse(Page, unwrap(await client.rpc('backup_page', { relation, ...key }).abortSignal(signal)))
}
