import type { Tables } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/errors.ts'
import type { Client } from '../../lib/backend.ts'

export type Bike = Pick<Tables<'bikes'>, 'gear_id' | 'name' | 'brand' | 'model' | 'is_listed'> & {
  /** Whether it is retired at Ride with GPS, or sold. */
  is_retired: boolean
  /** The bike's id, and those of bikes whose log is attached to it, which its rides may carry. */
  ids: number[]
}

export type NamedBike = Pick<Bike, 'gear_id' | 'name'>

export async function readBikes(client: Client, signal: AbortSignal): Promise<Bike[]> {
  const bikes = unwrap(
    await client
      .from('bikes')
      .select('gear_id, name, brand, model, is_listed, counts_as_retired, list_order, attached_to')
      .abortSignal(signal),
  )
  return (
    bikes
      .filter(({ attached_to }) => !attached_to)
      .map((bike) => {
        const former = bikes.filter(({ attached_to }) => attached_to === bike.gear_id)
        return Object.assign(
          {
            ids: [bike.gear_id, ...former.map(({ gear_id }) => gear_id)],
            is_retired: bike.counts_as_retired === true,
          },
          bike,
        )
      })
      // Supabase Lite can't order by a computed column.
      .toSorted((a, b) => a.list_order! - b.list_order!)
  )
}

/** Returns `Trek Domane SL 5`, or null if it is unknown or the same as the bike's name. */
export function brandAndModel({ name, brand, model }: Bike): string | null {
  const text = [brand, model].filter(Boolean).join(' ')
  return text === '' || text === name ? null : text
}
