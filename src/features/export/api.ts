import * as v from 'valibot'

import { unwrap } from '../../lib/unwrap.ts'
import type { Client } from '../../lib/backend.ts'
import type { BackupTable } from '../../lib/backup-file.ts'

const Page = v.object({
  schema: v.string(),
  rows: v.array(v.string()),
  /** The key of the last row, as text: it may have more digits than a number can hold. */
  last: v.nullable(v.string()),
  total: v.nullable(v.number()),
})

export type BackupPage = v.InferOutput<typeof Page>

/** Up to a thousand rows of a table behind a key, as the lines of a backup file; with the first page, how many there are. */
export async function readBackupPage(
  client: Client,
  relation: BackupTable,
  after: string | null,
  signal: AbortSignal,
): Promise<BackupPage> {
  // The generated types take a key for a number, which cannot hold each of them; text is sent as it is.
  const key = after === null ? {} : { after: after as unknown as number }
  return v.parse(Page, unwrap(await client.rpc('backup_page', { relation, ...key }).abortSignal(signal)))
}
