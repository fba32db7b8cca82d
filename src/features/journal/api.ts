import type { Change, Conflict, Group } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import type { Client } from '../../lib/backend.ts'
import { callSql } from '../../lib/functions.ts'

export type { Change, Conflict, Group }

export const PAGE_SIZE = 50

/** Reads the last 30 days' changes, newest first. With `deletions`, reads only deletions. */
export async function readTrash(
  client: Client,
  { pages, deletions }: { pages: number; deletions: boolean },
  signal: AbortSignal,
): Promise<Group[]> {
  const groups: Group[] = []
  for (let count = 0; count < pages; count++) {
    const last = groups.at(-1)
    const page = { deletions, ...(last && { older_than: last.last_id }) }
    const read = (await callSql(client, 'trash', page, signal)).groups
    groups.push(...read)
    if (read.length < PAGE_SIZE) break
  }
  return groups
}
