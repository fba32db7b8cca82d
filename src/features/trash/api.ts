import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { unwrap, type Values } from '../../lib/errors.ts'

/** A row, or null if it wasn't there. */
const Version = v.nullable(v.custom<Values>((value) => typeof value === 'object' && value !== null))

const Change = v.object({
  relation: v.picklist([
    'maintenance',
    'parts',
    'service_tasks',
    'service_events',
    'wear_measurements',
    'dismissed_checks',
  ]),
  before: Version,
  after: Version,
  /** The log entry that the row is about. */
  item: v.nullable(v.object({ bikeId: v.number(), name: v.string() })),
  task: v.nullable(v.object({ name: v.string() })),
})

/** What happened to a row. */
export type Change = v.InferOutput<typeof Change>

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
  /** The first few rows. */
  changes: v.array(Change),
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

/** Rows that were changed after the change to undo. */
export const Conflicts = v.array(
  v.object({
    ...Change.entries,
    /** `used`: other rows belong to an added row by now. */
    state: v.picklist(['changed', 'deleted', 'used']),
    present: Version,
    added: v.array(v.object({ ...v.omit(Change, ['before', 'after']).entries, row: Version })),
  }),
)

export type Conflict = v.InferOutput<typeof Conflicts>[number]
