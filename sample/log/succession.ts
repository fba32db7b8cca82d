import type { TablesInsert } from '../../supabase/database.types.ts'
import type { Day } from '../calendar.ts'

export type LogRow = TablesInsert<'maintenance'> & { dateStarted: string; dateEnded: string | null }

type PartType = 'Frame' | 'Wheels' | 'Pedals' | 'Tires' | 'Drivetrain' | 'Brakes' | 'Handlebar' | 'Saddle'

type Part = [from: Day, name: string, cost: number, description?: string]

/** Parts in the same place of a bike: each is in use until the day that the next one comes, the last until `until`. */
export function succession(bikeId: number, type: PartType | null, parts: Part[], until?: Day): LogRow[] {
  return parts.map(([from, name, cost, description = null], index) => {
    const end = parts[index + 1]?.[0] ?? until
    return {
      bikeId,
      type,
      name,
      description,
      cost,
      dateStarted: oneOClock(from),
      dateEnded: end === undefined ? null : oneOClock(end),
    }
  })
}

/** The tracker writes days at one in the morning. */
export const oneOClock = (day: Day): string => `${day} 01:00:00`
