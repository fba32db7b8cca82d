import type { Address } from '../../lib/address.ts'

/** Whose usage it is: that of an item, by its id, or of the whole bike. */
export type UseOf = number | 'all'

/** Leads to the rides behind a number, on the Rides tab of its bike. */
export function ridesBehindHref(gearId: number, of: UseOf): string {
  return `${allRidesHref(gearId)}&use=${of}`
}

/** Leads to all rides of a bike. */
export function allRidesHref(gearId: number): string {
  return `#bike=${gearId}&tab=rides`
}

/** Leads back to a bike's log. */
export function logHref(gearId: number): string {
  return `#bike=${gearId}`
}

/** Whose rides the address asks for; null where it asks for no such thing. */
export function readUseOf(address: Address): UseOf | null {
  const text = address['use'] ?? ''
  if (text === 'all') return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
