import { ENTRY_FIELD_NAMES, type EntryFieldName } from '../../supabase/functions/_shared/entry-fields.ts'
import type { Touched } from '../../supabase/functions/_shared/contracts/run-command.ts'

type Name = 'log' | 'tasks' | 'rides' | 'measurements' | 'dismissals' | 'syncs' | 'settings' | 'outbox'

type Column = EntryFieldName | 'service'
const COLUMNS: readonly Column[] = [...ENTRY_FIELD_NAMES, 'service']

type Part = {
  of: Name
  bike?: number
  /** The part that was measured. */
  part?: number
  /** Columns of the log. `service` stands for the entries with a service's cost. */
  columns?: readonly Column[] | undefined
}

/**
 * What resources are computed from, and what writes touch: all of an input, or a part of it. `rides` includes the bikes,
 * because a sync stores both, and the day until which rides count.
 */
export type Input = Name | Part

/** What the owner writes, perhaps on another device. */
export const OWNED: readonly Input[] = ['log', 'tasks', 'measurements', 'dismissals', 'settings']

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

/** Returns the inputs that a command touched. */
export function inputsOf({ tables, columns, bikes, parts }: Touched): Input[] {
  const known = COLUMNS.filter((column) => columns.includes(column))
  // Columns that the client doesn't tell apart count as all, as "*" does.
  const written = known.length < columns.length ? undefined : known
  const touchesTasks = tables.includes('service_tasks') || tables.includes('service_events')
  return [
    ...(columns.length > 0 ? bikes.map((bike) => ({ of: 'log', bike, columns: written }) as const) : []),
    ...(touchesTasks ? bikes.map((bike) => ({ of: 'tasks', bike }) as const) : []),
    ...(tables.includes('wear_measurements')
      ? (parts?.map((part) => ({ of: 'measurements', part }) as const) ?? (['measurements'] as const))
      : []),
    ...(tables.includes('dismissed_checks') ? (['dismissals'] as const) : []),
    ...(tables.includes('settings') ? (['settings'] as const) : []),
    // The owner's time zone decides until which moment rides count.
    ...(tables.includes('owner') ? (['rides'] as const) : []),
  ]
}
