import type { Json } from '../../database.types.ts'
import { connectAs } from '../_shared/auth.ts'
import type { Project } from '../_shared/environment.ts'

/** The usage of a bike and its items, with the rights of the token's owner; null if there is no such bike. */
export type ReadUsage = (token: string, gearId: number) => Promise<Json>

export function createReadUsage(project: Project): ReadUsage {
  return async (token, gearId) => {
    const { data, error } = await connectAs(project, token).rpc('maintenance_use', { gear_id: gearId })
    if (error) throw error
    return data
  }
}
