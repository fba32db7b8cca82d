import type { TablesInsert } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { AppError, unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'
import { type Field, FIELD_NAMES, isSame, type Item, type Value } from './fields.ts'

/** Derived from FIELDS, so queries must state the row type, which supabase-js can't infer. */
const COLUMNS = ['id', 'bikeId', ...FIELD_NAMES, 'part_id', 'ended_as'].join(', ')

/** Sending an item again with the same `request_key` adds nothing. */
export type NewItem = TablesInsert<'maintenance'> & { request_key: string }

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

async function readItem(
  client: Client,
  column: 'id' | 'request_key',
  key: number | string,
): Promise<Item | undefined> {
  return unwrap(await client.from('maintenance').select<string, Item>(COLUMNS).eq(column, key))[0]
}

/** Adds an item, unless an earlier request with its key added it. Resolves to the stored item. */
export function addItem(client: Client, item: NewItem): Promise<Item> {
  const readBack = () => readItem(client, 'request_key', item.request_key)
  return settleWrite(async () => {
    const options = { onConflict: 'request_key', ignoreDuplicates: true }
    const added = unwrap(await client.from('maintenance').upsert(item, options).select<string, Item>(COLUMNS))
    const stored = added[0] ?? (await readBack())
    if (!stored) throw new AppError('gone', `The item with key ${item.request_key} was deleted`)
    return stored
  }, readBack)
}

/** `changed`: nothing was saved, because the value was changed elsewhere. */
export type SaveResult = 'saved' | 'gone' | 'changed'

/** Replaces one value of an item, unless it was changed elsewhere. */
export function saveField(
  client: Client,
  id: number,
  field: Field,
  change: { from: Value; to: Value },
): Promise<SaveResult> {
  return settleWrite<SaveResult>(
    async () => {
      const filter = filterFor(change.from)
      if (filter && (await updateField(client, id, field, change.to, filter))) return 'saved'
      const stored = await readItem(client, 'id', id)
      if (!stored) return 'gone'
      // An earlier attempt may have succeeded.
      if (isSame(field, stored[field], change.to)) return 'saved'
      if (!isSame(field, stored[field], change.from)) return 'changed'
      return (await updateField(client, id, field, change.to)) ? 'saved' : 'gone'
    },
    async () => {
      const stored = await readItem(client, 'id', id)
      return stored && isSame(field, stored[field], change.to) ? 'saved' : undefined
    },
  )
}

type Filter = ['is' | 'in', string | null]

/** Gateways reject long URLs, so longer values are read and compared before they are replaced. */
const MAX_FILTER_LENGTH = 2000

/** Returns null if the filter would be too long. Supabase Lite treats `null` and `1.50` as text only in quotes. */
function filterFor(value: Value): Filter | null {
  if (value === null) return ['is', null]
  const quoted = `("${String(value).replaceAll(/[\\"]/g, String.raw`\$&`)}")`
  return encodeURIComponent(quoted).length > MAX_FILTER_LENGTH ? null : ['in', quoted]
}

async function updateField(client: Client, id: number, field: Field, value: Value, filter?: Filter) {
  const change = { [field]: value } as { [F in Field]: Record<F, Item[F]> }[Field]
  const update = client.from('maintenance').update(change).eq('id', id)
  const changed = unwrap(await (filter ? update.filter(field, ...filter) : update).select('id'))
  return changed.length > 0
}

export type DeletedItem = Item & Pick<TablesInsert<'maintenance'>, 'request_key'>

/** Deletes an item. Resolves to its last stored version, or null if it was deleted over 30 days ago. */
export function deleteItem(client: Client, { bikeId, id }: Item): Promise<DeletedItem | null> {
  return settleWrite<DeletedItem | null>(
    async () => {
      const log = client.from('maintenance')
      const deleted = unwrap(
        await log
          .delete()
          .eq('bikeId', bikeId)
          .eq('id', id)
          .select<string, DeletedItem>(`${COLUMNS}, request_key`),
      )
      return deleted[0] ?? (await readDeletedItem(client, id))
    },
    async () => ((await readItem(client, 'id', id)) ? undefined : readDeletedItem(client, id)),
  )
}

async function readDeletedItem(client: Client, id: number): Promise<DeletedItem | null> {
  const deletions = client.from('log_changes').select<string, { before: DeletedItem }>('before')
  const ofItem = deletions.eq('relation', 'maintenance').eq('row_id', id).is('after', null)
  return unwrap(await ofItem.order('id', { ascending: false }).limit(1))[0]?.before ?? null
}

/** Restores a deleted item, unless it is already in the log again. */
export function restoreItem(client: Client, item: DeletedItem): Promise<unknown> {
  const options = { onConflict: 'id', ignoreDuplicates: true }
  return settleWrite(
    async () => unwrap(await client.from('maintenance').upsert(item, options)),
    () => readItem(client, 'id', item.id),
  )
}
