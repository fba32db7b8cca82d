import type { EntryFieldName } from '../../supabase/functions/_shared/entry-fields.ts'

type Name =
  | 'log'
  | 'bikes'
  | 'tasks'
  | 'rides'
  | 'measurements'
  | 'dismissals'
  | 'syncs'
  | 'settings'
  | 'outbox'

export type Column = EntryFieldName | 'service' | 'files'

type Part = {
  of: Name
  bike?: number
  /** The part that was measured. */
  part?: number
  /** Columns of the log. `service` stands for the entries with a service's cost, `files` for their photos and receipts. */
  columns?: readonly Column[] | undefined
}

/**
 * Resources are computed from these, and writes touch them: all of an input, or a part of it. `rides` includes what syncs store
 * of bikes, and the day until which rides count. `bikes` is what the owner says of them.
 */
export type Input = Name | Part

/** The owner's own data, perhaps changed on another device. */
export const OWNED: readonly Input[] = ['log', 'bikes', 'tasks', 'measurements', 'dismissals', 'settings']

export const DATES = ['dateStarted', 'dateEnded'] as const satisfies Column[]

/** The log's parts, by name and by date. */
export const PARTS = { of: 'log', columns: ['name', 'type', ...DATES] } as const satisfies Input
export const PARTS_AND_COSTS = { of: 'log', columns: [...PARTS.columns, 'cost'] } as const satisfies Input

type Value = string | number | undefined

/** Returns the keys of what a resource reads. If a write touched any of it, they have a key in common. */
export const readKeys = (input: Input): string[] => keysOf(input, (value = 'any') => [value, 'all'])

export const touchedKeys = (input: Input): string[] => keysOf(input, (value = 'all') => [value, 'any'])

function keysOf(input: Input, matching: (value: Value) => Value[]): string[] {
  const { of, bike, part, columns }: Part = typeof input === 'string' ? { of: input } : input
  const named = columns?.flatMap(matching) ?? matching(undefined)
  return matching(bike ?? part).flatMap((id) => named.map((column) => `${of}/${id}/${column}`))
}
