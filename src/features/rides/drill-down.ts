import { atom } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import type { Bike } from '../bikes/api.ts'
import { selectedBikeAtom } from '../bikes/atoms.ts'
import type { Item } from '../entries/fields.ts'
import { logAtom } from '../entries/log.ts'
import { counts, countsFor } from '../entries/counts-for.ts'
import { drillDownOf } from '../entries/links.ts'
import type { RideRow } from './rows.ts'
import { type RideTotals, totalsOf } from './totals.ts'

/**
 * A list of only the rides that count toward an item's usage or, if `item` is null, the bike's. `loading` while the log
 * loads, `missing` if the item isn't in the log.
 */
export type DrillDown =
  | { state: 'off' }
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'on'; bike: Bike; item: Item | null }

export const drillDownAtom = atom((get): DrillDown => {
  const target = drillDownOf(get(addressAtom))
  const bike = get(selectedBikeAtom)
  if (target === null || bike === null) return { state: 'off' }
  if (target === 'all') return { state: 'on', bike, item: null }
  const log = get(logAtom(bike.gear_id))
  if (log.state === 'loading') return { state: 'loading' }
  const item = log.state === 'ready' ? log.data.find(({ id }) => id === target) : undefined
  return item ? { state: 'on', bike, item } : { state: 'missing' }
})

export function drillDownFilter(item: Item | null): (ride: RideRow) => boolean {
  const now = Date.now()
  return (ride) => (item === null ? counts(ride, now) : countsFor(ride, item, now))
}

/** Calculates totals the way usage does: duration replaces a missing moving time, and a missing sum is 0. */
export function usageTotals(rides: readonly RideRow[]): RideTotals {
  const time = rides.reduce((sum, { moving_time, duration }) => sum + (moving_time ?? duration ?? 0), 0)
  const totals = totalsOf(rides)
  return { ...totals, distance: totals.distance ?? 0, moving_time: time }
}
