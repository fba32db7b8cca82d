import { connectAs } from './auth.ts'
import type { Project } from './environment.ts'
import { HISTORY_DAYS } from './forecast.ts'
import type { RideDays } from './task-forecasts.ts'

/** Meters, seconds and days. A limit that the task doesn't have is null. */
type Amounts<Amount> = Record<'distance' | 'moving_time' | 'days', Amount>

/** A service task with its state, as the SQL function `service_due` computes it. */
export interface Task {
  id: number
  /** The bike, or the bike where the part is or was last. */
  gear_id: number
  /** The latest item of the part; null for a task of a bike. */
  item_id: number | null
  name: string
  kind: 'service' | 'replace' | 'check'
  every: Amounts<number | null>
  used: Amounts<number>
  /** How much of the limit that decides is used up. */
  fraction: number
  axis: keyof Amounts<number>
  state: 'ok' | 'soon' | 'due' | 'overdue' | 'snoozed' | 'paused'
  /** YYYY-MM-DD. */
  snoozed_until: string | null
  /** Snoozed until this many meters are used. */
  snoozed_distance: number | null
  part_id: number | null
  item_name: string | null
  item_type: string | null
  /** Wall clock time from which rides count. Null for a bike without rides. */
  baseline: string | null
  last_done: string | null
  /** The highest id of its events; `mark_service_done` expects it as `seen`. */
  newest_event: number | null
}

/** The tasks that row-level security shows, on all bikes or on one; null if the caller can't see the bike. */
export type ReadTasks = (token: string, gearId: number | undefined) => Promise<Task[] | null>

export function createReadTasks(project: Project): ReadTasks {
  return async (token, gearId) => {
    const { data, error } = await connectAs(project, token).rpc(
      'service_due',
      gearId === undefined ? {} : { gear_id: gearId },
    )
    if (error) throw error
    return (data as unknown as { tasks: Task[] } | null)?.tasks ?? null
  }
}

/** What row-level security shows of each day's rides, on all bikes or on one. */
export type ReadRideDays = (token: string, gearId: number | undefined) => Promise<RideDays>

export function createReadRideDays(project: Project): ReadRideDays {
  return async (token, gearId) => {
    const { data, error } = await connectAs(project, token).rpc('ride_days', {
      days: HISTORY_DAYS,
      ...(gearId === undefined ? {} : { gear_id: gearId }),
    })
    if (error) throw error
    return data as unknown as RideDays
  }
}
