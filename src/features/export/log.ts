import type { Client } from '../../lib/backend.ts'
import type { Units } from '../../lib/units.ts'
import { type Bike, readBikes } from '../bikes'
import { type Item, readWholeLog } from '../maintenance'
import { readUsage, type Usage } from '../usage'
import { logToCsv } from './log-csv.ts'

/** The log of all bikes as CSV: bike by bike, each in the order of its dates; and how many records that are. */
export async function readLogCsv(
  client: Client,
  units: Units,
  signal: AbortSignal,
): Promise<{ text: string; records: number }> {
  const items = await readWholeLog(client, signal)
  const bikes = await readBikes(client, signal)
  const used = bikes.filter(({ gear_id }) => items.some((item) => item.bikeId === gear_id))
  const lines = await Promise.all(
    used.map(async (bike) => {
      const usage = await readUsage(client, bike.gear_id, signal)
      return linesOf(bike, items, usage)
    }),
  )
  return { text: logToCsv(lines.flat(), units), records: items.length }
}

function linesOf(bike: Bike, items: readonly Item[], { byItem }: Usage) {
  return items
    .filter((item) => item.bikeId === bike.gear_id)
    .toSorted((a, b) =>
      a.dateStarted < b.dateStarted ? -1 : a.dateStarted > b.dateStarted ? 1 : a.id - b.id,
    )
    .map((item) => ({ item, bike, ridden: byItem.get(item.id) }))
}
