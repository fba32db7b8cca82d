import { connectAs } from '../_shared/auth.ts'
import type { Project } from '../_shared/environment.ts'
import { type ItemColumns, type ItemUse, toItems } from './items.ts'

export interface Usage {
  gear_id: number
  total: { rides: number; distance: number; moving_time: number }
  items: ItemUse[]
}

/** The usage of a bike and its items, with the rights of the token's owner; null if there is no such bike. */
export type ReadUsage = (token: string, gearId: number) => Promise<Usage | null>

export function createReadUsage(project: Project): ReadUsage {
  return async (token, gearId) => {
    const { data, error } = await connectAs(project, token).rpc('maintenance_use', { gear_id: gearId })
    if (error) throw error
    const usage = data as unknown as (Omit<Usage, 'items'> & { items: ItemColumns }) | null
    return usage && { ...usage, items: toItems(usage.items) }
  }
}
