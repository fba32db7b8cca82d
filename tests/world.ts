import type { Tables } from '../supabase/database.types.ts'
import { DELETE_ROWS, insert } from './database/databases.ts'

type Columns<Table extends 'maintenance' | 'parts' | 'rides' | 'service_events' | 'service_tasks'> = Partial<
  Omit<Tables<Table>, 'started_at'>
>

/** The rows of a tracker. Ids count from 1 unless a row has its own. */
export interface World {
  /** Names in the order of their ids, or by id. */
  bikes?: string[] | Record<number, string>
  /** Log entries, on bike 1 since January 1, 2024, unless they say otherwise. Their parts exist. */
  entries?: (Columns<'maintenance'> & {
    name: string
    bike?: number
    part?: number
    from?: string
    to?: string
  })[]
  /** Parts that have usage from before the log or no entry. */
  parts?: Columns<'parts'>[]
  tasks?: (Columns<'service_tasks'> & { name: string; bike?: number; part?: number; days?: number })[]
  events?: (Columns<'service_events'> & { task: number; at: string })[]
  measurements?: { id?: number; part: number; on: string; value: number; unit?: string }[]
  /** PDFs with their name as content. */
  files?: { id?: number; item: number; name: string }[]
  rides?: (Columns<'rides'> & { bike: number; at: string })[]
  /** New rows get ids after this one, 100 by default. */
  lastId?: number
}

const atOne = (day: string) => (day.length > 10 ? day : `${day}T01:00:00`)

/** Returns SQL that inserts a tracker's rows. */
export function world({
  bikes = [],
  entries = [],
  parts = [],
  tasks = [],
  events = [],
  measurements = [],
  files = [],
  rides = [],
  lastId = 100,
}: World): string {
  const numbers = entries.flatMap(({ part }) => part ?? [])
  const withoutUsage = [...new Set(numbers)].filter((id) => !parts.some((part) => part.id === id))
  const partOf = (task: number) => tasks.find(({ id }, index) => (id ?? index + 1) === task)?.part ?? null
  const rows: Record<string, object[]> = {
    bikes: Object.entries(bikes).map(([key, name]) => ({
      gear_id: Number(key) + (Array.isArray(bikes) ? 1 : 0),
      name,
    })),
    parts: [...withoutUsage.map((id) => ({ id })), ...parts],
    maintenance: entries.map(({ bike = 1, part, from = '2024-01-01', to, ...columns }) => ({
      bikeId: bike,
      ...(part && { part_id: part }),
      dateStarted: atOne(from),
      dateEnded: to ? atOne(to) : null,
      ...columns,
    })),
    service_tasks: tasks.map(({ bike = null, part = null, days, ...columns }) => ({
      gear_id: bike,
      part_id: part,
      ...(days && { every_days: days }),
      ...columns,
    })),
    service_events: events.map(({ task, at, ...columns }) => ({
      task_id: task,
      part_id: partOf(task),
      done_at: atOne(at),
      ...columns,
    })),
    wear_measurements: measurements.map(({ part, on, unit = 'chain %', ...columns }) => ({
      part_id: part,
      measured_on: on,
      unit,
      ...columns,
    })),
    rides: rides.map(({ bike, at, ...columns }) => ({ gear_id: bike, departed_at: at, ...columns })),
  }
  const inserts = Object.entries(rows).flatMap(([table, list]) =>
    list.map((row, index) => insert(table, [table === 'bikes' ? row : { id: index + 1, ...row }])),
  )
  inserts.push(...files.map(({ item, name, id }, index) => insertFile({ id: id ?? index + 1, item, name })))
  const sequences = [
    'parts',
    'maintenance',
    'service_tasks',
    'service_events',
    'wear_measurements',
    'entry_files',
  ].map((table) => `setval('public.${table}_id_seq', ${lastId})`)
  return `${inserts.join('\n')} select ${sequences.join()};`
}

const insertFile = ({ id, item, name }: { id: number; item: number; name: string }) => `
  with stored as (
    insert into private.file_contents (sha256, content)
    select encode(sha256(content), 'hex'), content from (select convert_to('%PDF-${name}', 'UTF8') as content) as file
    returning *
  )
  insert into public.entry_files (id, item_id, name, media_type, size, sha256)
  select ${id}, ${item}, '${name}', 'application/pdf', octet_length(content), sha256 from stored;`

/** Returns SQL that replaces a tracker's rows and forgets all earlier changes and requests. */
export const onlyWorld = (rows: World) =>
  `${DELETE_ROWS}; delete from private.requests; ${world(rows)} delete from public.changes;`
