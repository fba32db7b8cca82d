import { selectAtom } from 'jotai/utils'

import { type Address, addressAtom } from '../../lib/address.ts'

/** An item's id, or `all` for all of the bike's rides. */
export type DrillDownTarget = number | 'all'

/** The ride list's sort order in the address. Links to rides keep it. */
export const ridesSortAtom = selectAtom(addressAtom, (address) => address['sort'])

export function drillDownHref(gearId: number, target: DrillDownTarget, sort?: string): string {
  return `${allRidesHref(gearId, sort)}&use=${target}`
}

/** Returns a link for content that a dialog may scroll out of sight. Axe takes such links to `#…` for broken skip links. */
export const hrefInDialog = (href: string) => `./${href}`

export function allRidesHref(gearId: number, sort?: string): string {
  return `#bike=${gearId}&tab=rides${sort === undefined ? '' : `&sort=${encodeURIComponent(sort)}`}`
}

/** Returns the link to rides without a bike. `gearId` is any bike's, because the ride list needs one. */
export function ridesWithoutBikeHref(gearId: number): string {
  return `${allRidesHref(gearId)}&gear=none`
}

export function logHref(gearId: number): string {
  return `#bike=${gearId}`
}

export const detailsHref = (gearId: number, itemId: number) => `${logHref(gearId)}&item=${itemId}`

/** Returns the address's drill-down, or null. */
export function drillDownOf(address: Address): DrillDownTarget | null {
  const text = address['use'] ?? ''
  if (text === 'all') return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
