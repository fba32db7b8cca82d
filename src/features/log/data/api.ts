import { checkMessage, entryField } from '../../../../supabase/functions/_shared/entry-fields.ts'
import type { Client } from '../../../lib/backend.ts'
import { WRONG_YEAR } from '../../../lib/days.ts'
import { addMessages, unwrap } from '../../../lib/errors.ts'
import { FIELD_NAMES, type Item } from './fields.ts'

addMessages({
  ...Object.fromEntries(
    FIELD_NAMES.map((name) => [`maintenance_${name}_check`, checkMessage(entryField(name))]),
  ),
  maintenance_years_check: WRONG_YEAR,
  maintenance_ends_after_start_check: 'The end is before the start.',
})

/** Derived from FIELDS, so queries must state the row type, which supabase-js can't infer. */
const COLUMNS = ['id', 'bikeId', ...FIELD_NAMES, 'part_id', 'ended_as'].join(', ')

/** Reads a bike's log, ordered by start date. The data API may return fewer items than there are, so pages follow until the latest. */
export async function readLog(client: Client, gearId: number, signal: AbortSignal): Promise<Item[]> {
  const items = new Map<number, Item>()
  let page: LogPage
  do {
    page = await readLogPage(client, gearId, [...items.values()].at(-1), signal)
    for (const item of page.maintenance) {
      // If an item's start changes between page reads, the item may appear twice. Its later position is current.
      items.delete(item.id)
      items.set(item.id, item)
    }
  } while (page.maintenance.length > 0 && page.maintenance.at(-1)?.id !== page.latest[0]?.id)
  return [...items.values()]
}

type LogPage = { maintenance: Item[]; latest: Pick<Item, 'id'>[] }

async function readLogPage(
  client: Client,
  gearId: number,
  last: Item | undefined,
  signal: AbortSignal,
): Promise<LogPage> {
  const log = { referencedTable: 'maintenance' }
  const latest = { referencedTable: 'latest', ascending: false }
  const columns = `gear_id, maintenance(${COLUMNS}), latest:maintenance(id)`
  let query = client.from('bikes').select<string, LogPage>(columns).eq('gear_id', gearId)
  if (last) {
    const { id, dateStarted } = last
    query = query.or(`dateStarted.gt."${dateStarted}",and(dateStarted.eq."${dateStarted}",id.gt.${id})`, log)
  }
  const ordered = query
    .order('dateStarted', log)
    .order('id', log)
    .order('dateStarted', latest)
    .order('id', latest)
  return unwrap(await ordered.limit(1, latest).abortSignal(signal).single())
}

/** The data API's default row limit. */
export const PAGE_SIZE = 1000

/** Reads all bikes' items, ordered by id. */
export async function readAllItems(client: Client, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = []
  let page: Item[]
  do {
    const last = items.at(-1)
    const log = client.from('maintenance').select<string, Item>(COLUMNS)
    const query = log.order('id').limit(PAGE_SIZE).abortSignal(signal)
    page = unwrap(await (last ? query.gt('id', last.id) : query))
    items.push(...page)
    // A project may return fewer rows than requested, so only an empty page marks the end.
  } while (page.length > 0)
  return items
}
