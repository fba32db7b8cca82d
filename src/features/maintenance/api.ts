import type { Tables, TablesInsert } from '../../../supabase/database.types.ts'
import { dataOf } from '../../lib/answers.ts'
import type { Client } from '../../lib/backend.ts'
import { AppError } from '../../lib/errors.ts'

const COLUMNS = 'id, bikeId, type, name, description, cost, dateStarted, dateEnded'

/** An item of a bike's log. */
export type Item = Tables<'maintenance'>

/** What is needed for a new item; with an `id`, a deleted one comes back as it was. */
export type NewItem = TablesInsert<'maintenance'>

/** One edited column. */
export type Change = { [Column in keyof Item]: Record<Column, Item[Column]> }[keyof Item]

/** A bike's log, in the order of its dates. */
export async function readLog(client: Client, gearId: number, signal: AbortSignal): Promise<Item[]> {
  const bike = dataOf(
    await client
      .from('bikes')
      .select(`gear_id, maintenance(${COLUMNS})`)
      .eq('gear_id', gearId)
      .order('dateStarted', { referencedTable: 'maintenance' })
      .order('id', { referencedTable: 'maintenance' })
      .abortSignal(signal)
      .single(),
  )
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
    page = dataOf(await (last ? query.gt('id', last.id) : query))
    items.push(...page)
    // A project may give fewer rows at once than are asked for: only an empty page is the end.
  } while (page.length > 0)
  return items
}

/** Writes one column of an item. Throws `gone` when the item is no longer there. */
export async function updateItem(client: Client, id: number, change: Change): Promise<void> {
  const changed = dataOf(await client.from('maintenance').update(change).eq('id', id).select('id'))
  if (changed.length === 0) throw new AppError('gone', `No item ${id}`)
}

export async function insertItem(client: Client, item: NewItem): Promise<void> {
  dataOf(await client.from('maintenance').insert(item))
}

/** Deletes an item of a bike; one that is gone already is as good as deleted. */
export async function deleteItem(client: Client, bikeId: number, id: number): Promise<void> {
  dataOf(await client.from('maintenance').delete().eq('bikeId', bikeId).eq('id', id))
}
