import type { Address } from '../../lib/address.ts'

/** Whose rides to show: an item's, by its id, or the bike's. */
export type DrillDownTarget = number | 'all'

/** Link to the drill-down of a usage number. */
export function drillDownHref(gearId: number, target: DrillDownTarget): string {
  return `${allRidesHref(gearId)}&use=${target}`
}

/** Link to all rides of a bike. */
export function allRidesHref(gearId: number): string {
  return `#bike=${gearId}&tab=rides`
}

/** Link to the rides without a known bike. The ride list belongs to a bike, so it needs one. */
export function ridesWithoutBikeHref(gearId: number): string {
  return `${allRidesHref(gearId)}&gear=none`
}

/** Link to a bike's log. */
export function logHref(gearId: number): string {
  return `#bike=${gearId}`
}

/** The drill-down in the address; null if it has none. */
export function drillDownOf(address: Address): DrillDownTarget | null {
  const text = address['use'] ?? ''
  if (text === 'all') return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
