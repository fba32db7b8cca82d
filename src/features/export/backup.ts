import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { BACKUP_TABLES, backupText } from '../../lib/backup-file.ts'
import { callSql } from '../../lib/functions.ts'

/** A backup file's lines by table. Checked, because no table may be missing: restoring the file would empty it. */
const Backup = v.object({
  schema: v.string(),
  tables: v.object(v.entriesFromList(BACKUP_TABLES, v.array(v.string()))),
})

/** Reads a snapshot of all tables as backup file text. Throws unless the text is complete, valid JSON. */
export async function readBackup(client: Client, signal: AbortSignal): Promise<string> {
  const { schema, tables } = v.parse(Backup, await callSql(client, 'backup', {}, signal))
  const text = backupText(schema, new Map(BACKUP_TABLES.map((table) => [table, tables[table]])))
  const restored = JSON.parse(text) as Record<string, unknown[]>
  for (const table of BACKUP_TABLES) {
    if (restored[table]?.length !== tables[table].length)
      throw new Error(`The backup of ${table} is incomplete.`)
  }
  return text
}
