import { atom } from 'jotai'

import type { RideYears, RideYearsCall } from '../../../../supabase/functions/ride-years/contract.ts'
import { addressAtom } from '../../../lib/address.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { callFunction } from '../../../lib/functions.ts'
import { type Resource, resourceAtom } from '../../../lib/resource.ts'
import { weakFamily } from '../../../lib/weak-family.ts'
import { doubtedRidesAtom } from '../doubted.ts'
import {
  filterPeriodAtom,
  filterRidesAtom,
  gearNamesAtom,
  presetRanges,
  rideFiltersAtom,
} from '../filters.ts'
import { chosenIn, rangeOf } from './months.ts'

export type { RideYears }

/** What was ridden by month and year with a gear. Reloads at midnight. */
const yearsOfAtom = weakFamily((gear: string) =>
  resourceAtom({ reads: ['rides', 'bikes'], cacheAs: `ride-years/${gear}` }, (get, { signal }) => {
    get(todayAtom)
    const body = gear === 'all' ? {} : ({ gear: gear === 'none' ? gear : Number(gear) } as const)
    return callFunction<RideYearsCall>(get(backendAtom).client, 'ride-years', { body, signal })
  }),
)

/** Follows the list's filter of the gear. */
const yearsOfGearAtom = atom((get) => yearsOfAtom(get(rideFiltersAtom).gear))

export const rideYearsAtom = atom((get): Resource<RideYears> => get(get(yearsOfGearAtom)))

/** Reads the months. Not if the address has a bike, which may not be known yet. */
export const readFirstYearsAtom = atom(null, async (get, set) => {
  if (!('gear' in get(addressAtom))) await set(get(yearsOfGearAtom).readAtom)
})

/** The doubted rides among them. */
export const doubtedOfGearAtom = atom((get) => {
  const { gear } = get(rideFiltersAtom)
  const names = get(gearNamesAtom)
  return (get(doubtedRidesAtom) ?? []).filter(({ gear_id }) =>
    gear === 'none' ? !names.has(gear_id ?? Number.NaN) : gear === 'all' || String(gear_id) === gear,
  )
})

export const reloadYearsAtom = atom(null, (get, set) => set(get(yearsOfGearAtom).reloadAtom))

/** The month or year that the list shows, such as `2026-05` or `2026`. Null: another period. */
export const chosenPeriodAtom = atom(
  (get) => chosenIn(get(rideFiltersAtom), get(todayAtom)),
  (get, set, period: string | null) => {
    const isChosen = period === null || period === get(chosenPeriodAtom)
    if (isChosen) set(filterRidesAtom, presetRanges(get(todayAtom)).all, 'choice')
    else set(filterPeriodAtom, rangeOf(period))
  },
)
