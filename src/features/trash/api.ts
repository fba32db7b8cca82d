import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'
import type { CsvItem } from '../items/csv.ts'

const Stored = v.custom<CsvItem>((value) => typeof value === 'object' && value !== null)

/** Null before an item was added and after it was deleted. */
const Version = v.nullable(Stored)

const Group = v.object({
  id: v.string(),
  last_id: v.number(),
  changed_at: v.string(),
  source: v.picklist(['edit', 'import', 'restore']),
  added: v.number(),
  edited: v.number(),
  deleted: v.number(),
  /** Whether nothing is left to restore. */
  is_done: v.boolean(),
  bikes: v.array(v.number()),
  /** The first few items. */
  changes: v.array(v.object({ before: Version, after: Version })),
})

/** The changes made by one action, such as an import. */
export type Group = v.InferOutput<typeof Group>

const Page = v.object({ groups: v.array(Group) })

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
    const read = v.parse(Page, unwrap(await client.rpc('trash', page).abortSignal(signal))).groups
    groups.push(...read)
    if (read.length < PAGE_SIZE) break
  }
  return groups
}

const Restored = v.object({
  restored: v.number(),
  /** Items that were edited after the change to revert. */
  conflicts: v.array(v.object({ before: Version, after: Version, present: Version })),
})

export type Conflict = v.InferOutput<typeof Restored>['conflicts'][number]

/** Reverts a change. Conflicting items prevent this, unless `keepChanged` skips them. Retries change nothing. */
export function restoreChange(client: Client, change: string, keepChanged: boolean): Promise<Conflict[]> {
  const write = async () => {
    const args = { change, keep_changed: keepChanged }
    return v.parse(Restored, unwrap(await client.rpc('restore_log_change', args))).conflicts
  }
  return settleWrite(write, write)
}
