import type { Tables, TablesInsert } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/unwrap.ts'
import type { Client } from '../../lib/backend.ts'
import { AppError } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'
import { type Field, isSameValue, type Value } from './fields.ts'

const COLUMNS = 'id, bikeId, type, name, description, cost, dateStarted, dateEnded'

/** An item of a bike's log. */
export type Item = Omit<Tables<'maintenance'>, 'request_key'>

/** A new item. Its key makes adding it repeatable: the same key again adds nothing. */
export type NewItem = TablesInsert<'maintenance'> & { request_key: string }

/** A project may limit its answers to fewer rows than the usual 1,000, but hardly to fewer than this. */
const SMALLEST_LIMIT = 100

/** A bike's log, in the order of its dates. */
export async function readLog(client: Client, gearId: number, signal: AbortSignal): Promise<Item[]> {
  const items = new Map<number, Item>()
  let page: Item[]
  do {
    page = await readLogPage(client, gearId, [...items.values()].at(-1), signal)
    for (const item of page) {
      // An item whose start was moved between two pages comes twice; its later place is the current one.
      items.delete(item.id)
      items.set(item.id, item)
    }
  } while (page.length >= SMALLEST_LIMIT)
  return [...items.values()]
}

async function readLogPage(
  client: Client,
  gearId: number,
  last: Item | undefined,
  signal: AbortSignal,
): Promise<Item[]> {
  const log = { referencedTable: 'maintenance' }
  let query = client.from('bikes').select(`gear_id, maintenance(${COLUMNS})`).eq('gear_id', gearId)
  if (last) {
    const { id, dateStarted } = last
    query = query.or(`dateStarted.gt."${dateStarted}",and(dateStarted.eq."${dateStarted}",id.gt.${id})`, log)
  }
  const bike = unwrap(await query.order('dateStarted', log).order('id', log).abortSignal(signal).single())
  return bike.maintenance
}

/** What the data API gives at most in one answer. */
const PAGE = 1000

/** The log of all bikes, in the order of ids. */
export async function readWholeLog(client: Client, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = []
  let page: Item[]
  do {
    const last = items.at(-1)
    const query = client.from('maintenance').select(COLUMNS).order('id').limit(PAGE).abortSignal(signal)
    page = unwrap(await (last ? query.gt('id', last.id) : query))
    items.push(...page)
    // A project may give fewer rows at once than are asked for: only an empty page is the end.
  } while (page.length > 0)
  return items
}

async function readItem(
  client: Client,
  column: 'id' | 'request_key',
  key: number | string,
): Promise<Item | undefined> {
  return unwrap(await client.from('maintenance').select(COLUMNS).eq(column, key))[0]
}

/** Adds an item, unless its key has added one already; resolves to the item as it is stored. */
export function addItem(client: Client, item: NewItem): Promise<Item> {
  const readBack = () => readItem(client, 'request_key', item.request_key)
  return settleWrite(async () => {
    const options = { onConflict: 'request_key', ignoreDuplicates: true }
    const added = unwrap(await client.from('maintenance').upsert(item, options).select(COLUMNS))
    const stored = added[0] ?? (await readBack())
    if (!stored) throw new AppError('gone', `The item with key ${item.request_key} was deleted`)
    return stored
  }, readBack)
}

/** What came of saving a field; `changed` when the stored value is no longer the one that was to be replaced. */
export type Saved = 'saved' | 'gone' | 'changed'

/** Replaces the value of one column of an item, unless it was changed elsewhere. */
export function saveField(
  client: Client,
  id: number,
  field: Field,
  change: { from: Value; to: Value },
): Promise<Saved> {
  return settleWrite<Saved>(
    async () => {
      const filter = filterFor(change.from)
      if (filter && (await updateField(client, id, field, change.to, filter))) return 'saved'
      const stored = await readItem(client, 'id', id)
      if (!stored) return 'gone'
      // An earlier attempt may have gone through.
      if (isSameValue(field, stored[field], change.to)) return 'saved'
      if (!isSameValue(field, stored[field], change.from)) return 'changed'
      return (await updateField(client, id, field, change.to)) ? 'saved' : 'gone'
    },
    async () => {
      const stored = await readItem(client, 'id', id)
      return stored && isSameValue(field, stored[field], change.to) ? 'saved' : undefined
    },
  )
}

/** One edited column. */
type Change = { [Column in Field]: Record<Column, Item[Column]> }[Field]

type Filter = ['is' | 'in', string | null]

/** Gateways refuse long addresses; a longer value is read and compared before it is replaced. */
const LONGEST_FILTER = 2000

/** Matches a value exactly. In quotes, because Supabase Lite takes an unquoted `null` or `1.50` for no text. */
function filterFor(value: Value): Filter | null {
  if (value === null) return ['is', null]
  const quoted = `("${String(value).replaceAll(/[\\"]/g, String.raw`\$&`)}")`
  return encodeURIComponent(quoted).length > LONGEST_FILTER ? null : ['in', quoted]
}

async function updateField(client: Client, id: number, field: Field, value: Value, filter?: Filter) {
  const change = { [field]: value } as Change
  const update = client.from('maintenance').update(change).eq('id', id)
  const changed = unwrap(await (filter ? update.filter(field, ...filter) : update).select('id'))
  return changed.length > 0
}

/** An item with all that it takes to bring it back as it was. */
export type DeletedItem = Item & Pick<TablesInsert<'maintenance'>, 'request_key'>

/** Deletes an item and resolves to it as it was stored, or null if it was gone already. */
export function deleteItem(client: Client, { bikeId, id }: Item): Promise<DeletedItem | null> {
  return settleWrite<DeletedItem | null>(
    async () => {
      const log = client.from('maintenance')
      const deleted = unwrap(
        await log.delete().eq('bikeId', bikeId).eq('id', id).select(`${COLUMNS}, request_key`),
      )
      return deleted[0] ?? null
    },
    async () => ((await readItem(client, 'id', id)) ? undefined : null),
  )
}

/** Brings a deleted item back as it was, unless it is back already. */
export function restoreItem(client: Client, item: DeletedItem): Promise<unknown> {
  const options = { onConflict: 'id', ignoreDuplicates: true }
  return settleWrite(
    async () => unwrap(await client.from('maintenance').upsert(item, options)),
    () => readItem(client, 'id', item.id),
  )
}
