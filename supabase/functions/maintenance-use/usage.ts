import { connectAs } from '../_shared/auth.ts'
import type { Project } from '../_shared/environment.ts'

interface Totals {
  rides: number
  /** Meters. */
  distance: number
  /** Seconds. */
  moving_time: number
}

/** The usage of an item, and `started_at` of its first and last ride. */
interface ItemUsage extends Totals {
  id: number
  first_ride: string | null
  last_ride: string | null
}

/** The lifetime of a part: the usage and cost of all its items, on any bike. */
interface PartUsage extends Totals {
  part_id: number
  item_ids: number[]
  /** US dollars. */
  cost: number
}

export interface Usage {
  gear_id: number
  total: Totals
  items: ItemUsage[]
  /** The parts that the bike's items belong to. */
  parts: PartUsage[]
}

/** The usage of a bike and its items as far as row-level security shows them; null if the caller can't see the bike. */
export type ReadUsage = (token: string, gearId: number) => Promise<Usage | null>

export function createReadUsage(project: Project): ReadUsage {
  return async (token, gearId) => {
    const { data, error } = await connectAs(project, token).rpc('maintenance_use', { gear_id: gearId })
    if (error) throw error
    return data as unknown as Usage | null
  }
}
