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

/** The rides of each month, YYYY-MM, and when tasks of the bike or of parts on it were done, YYYY-MM-DD. */
export interface Timeline {
  months: (Totals & { month: string })[]
  services: { id: number; name: string; day: string; item_id: number | null; paid_item_id: number | null }[]
}

/** What the caller asks for. With a day: the usage at its end, only of the items that were on the bike then. */
export interface Query {
  gear_id: number
  day?: string | undefined
}

export interface UsageStore {
  /** The usage of a bike and its items as far as row-level security shows them; null if the caller can't see the bike. */
  readUsage: (token: string, query: Query) => Promise<Usage | null>
  readTimeline: (token: string, gearId: number) => Promise<Timeline | null>
}

export function createUsageStore(project: Project): UsageStore {
  return {
    async readUsage(token, { gear_id, day }) {
      const { data, error } = await connectAs(project, token).rpc('maintenance_use', {
        gear_id,
        ...(day !== undefined && { day }),
      })
      if (error) throw error
      return data as unknown as Usage | null
    },
    async readTimeline(token, gearId) {
      const { data, error } = await connectAs(project, token).rpc('bike_timeline', { gear_id: gearId })
      if (error) throw error
      return data as unknown as Timeline | null
    },
  }
}
