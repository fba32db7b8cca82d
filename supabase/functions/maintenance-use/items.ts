/** What was ridden on an item: metres, seconds, and the first and the last ride's `started_at`, or null. */
export interface ItemUse {
  id: number
  rides: number
  distance: number
  moving_time: number
  first_ride: string | null
  last_ride: string | null
}

/** The items' usage as `public.maintenance_use` gives it: an array per property, or null for a log without items. */
export type ItemColumns = { [Property in keyof ItemUse]: ItemUse[Property][] } | null

/** A record for each item. */
export function toItems(columns: ItemColumns): ItemUse[] {
  if (!columns) return []
  const properties = Object.entries(columns)
  const record = (n: number) => Object.fromEntries(properties.map(([name, values]) => [name, values[n]]))
  return columns.id.map((_, n) => record(n) as unknown as ItemUse)
}
