import type { TablesInsert } from '../../../database.types.ts'
import type { Gear } from './schemas.ts'

/** A row of `bikes`, as `store_bikes` takes it. */
export type Bike = TablesInsert<'bikes'>

/** A piece of gear as the tracker names it: its nickname, else its name, else make and model, else its number. */
export function toBike({ id, nickname, name, make, model }: Gear): Bike {
  const brand = [make, model].map((part) => part?.trim()).filter(Boolean)
  return { gear_id: id, name: nickname?.trim() || name?.trim() || brand.join(' ') || `Bike ${id}` }
}
