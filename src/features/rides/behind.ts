import { atom } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { type Bike, selectedBikeAtom } from '../bikes'
import { type Item, logAtom } from '../maintenance'
import { countsFor, readUseOf } from '../usage'
import type { RideRow } from './rows.ts'
import { type RideTotals, totalsOf } from './totals.ts'

/**
 * Whether the list is narrowed to the rides behind a number of the log: those of a part, or with `part` null of the
 * whole bike. `reading`: the part is still being looked up; `unknown`: it is not in the log.
 */
export type Behind =
  | { state: 'off' }
  | { state: 'reading' }
  | { state: 'unknown' }
  | { state: 'on'; bike: Bike; part: Item | null }

export const behindAtom = atom((get): Behind => {
  const of = readUseOf(get(addressAtom))
  const bike = get(selectedBikeAtom)
  if (of === null || bike === null) return { state: 'off' }
  if (of === 'all') return { state: 'on', bike, part: null }
  const log = get(logAtom(bike.gear_id))
  if (log.state === 'loading') return { state: 'reading' }
  const part = log.state === 'ready' ? log.data.find(({ id }) => id === of) : undefined
  return part ? { state: 'on', bike, part } : { state: 'unknown' }
})

/** Whether a ride of the bike is behind the number. */
export function isBehind(part: Item | null): (ride: RideRow) => boolean {
  const now = Date.now()
  return (ride) => part === null || countsFor(ride, part, now)
}

/** Totals as usage counts them: a ride without a moving time counts its duration, and nothing is 0. */
export function usageTotals(rides: readonly RideRow[]): RideTotals {
  const time = rides.reduce((sum, { moving_time, duration }) => sum + (moving_time ?? duration ?? 0), 0)
  const totals = totalsOf(rides)
  return { ...totals, distance: totals.distance ?? 0, moving_time: time }
}
