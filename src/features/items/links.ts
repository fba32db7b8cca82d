import { selectAtom } from 'jotai/utils'

import { type Address, addressAtom } from '../../lib/address.ts'

/** Whose rides to show: an item's, by its id, or the bike's. */
export type DrillDownTarget = number | 'all'

/** The chosen order of the rides in the address, which links to rides keep. */
export const ridesSortAtom = selectAtom(addressAtom, (address) => address['sort'])

/** Link to the drill-down of a usage number. */
export function drillDownHref(gearId: number, target: DrillDownTarget, sort?: string): string {
  return `${allRidesHref(gearId, sort)}&use=${target}`
}

export function allRidesHref(gearId: number, sort?: string): string {
  return `#bike=${gearId}&tab=rides${sort === undefined ? '' : `&sort=${encodeURIComponent(sort)}`}`
}

/** Link to the rides without a known bike. The ride list belongs to a bike, so it needs one. */
export function ridesWithoutBikeHref(gearId: number): string {
  return `${allRidesHref(gearId)}&gear=none`
}

export function logHref(gearId: number): string {
  return `#bike=${gearId}`
}

/** Link to the log with the details of an item. */
export const detailsHref = (gearId: number, itemId: number) => `${logHref(gearId)}&item=${itemId}`

/** The drill-down in the address; null if it has none. */
export function drillDownOf(address: Address): DrillDownTarget | null {
  const text = address['use'] ?? ''
  if (text === 'all') return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
