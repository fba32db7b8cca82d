import type { Tables } from '../../supabase/database.types.ts'
import { Answer } from '../../supabase/functions/update-rides/contract.ts'
import { checked } from '../contract.ts'
import { DELETE_ROWS } from '../database/databases.ts'
import { type FunctionsProcess, startFunctionsProcess } from './functions.ts'
import { openProject, type Project } from './project.ts'
import { type RideWithGps, SIGN_IN, startRideWithGps } from './ride-with-gps.ts'

export interface UpdateResponse {
  status: number
  body: Record<string, unknown>
}

const FACTS = [
  ...(['triggered_by', 'outcome', 'code', 'fetched', 'added', 'changed', 'removed'] as const),
  ...(['skipped', 'skipped_rows', 'pending_removals', 'mismatch'] as const),
]
type Sync = Pick<Tables<'ride_syncs'>, (typeof FACTS)[number]>

export interface Tracker {
  project: Project
  rwgps: RideWithGps
  functions: FunctionsProcess
  update(by?: 'owner' | 'schedule'): Promise<UpdateResponse>
  /** Moves time forward by ten minutes and runs a quick check, as the schedule does. */
  check(): Promise<UpdateResponse>
  rideIds(): Promise<number[]>
  /** Resolves to all syncs, oldest first. */
  history(): Promise<Sync[]>
  /** Moves all previous syncs back in time. */
  pass(interval: string): Promise<void>
  reset(): Promise<void>
  close(): Promise<void>
}

export async function openTracker(): Promise<Tracker> {
  const [project, rwgps] = await Promise.all([openProject(), startRideWithGps()])
  return connect(project, rwgps, SIGN_IN)
}

/** Returns the functions' environment. `credentials` may override `RWGPS_BASE_URL`. */
export function functionEnvironment(
  { url, secrets }: Project,
  rwgps: RideWithGps,
  credentials: Record<string, string>,
): Record<string, string> {
  return {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    SCHEDULE_KEY: secrets.scheduleKey,
    RWGPS_BASE_URL: rwgps.url,
    ...credentials,
  }
}

export async function connect(
  project: Project,
  rwgps: RideWithGps,
  credentials: Record<string, string>,
): Promise<Tracker> {
  const { secrets, ownerToken } = project
  const functions = await startFunctionsProcess(functionEnvironment(project, rwgps, credentials))
  const update = async (by: 'owner' | 'schedule', request: object) => {
    const headers: Record<string, string> =
      by === 'owner' ? { authorization: `Bearer ${ownerToken}` } : { 'x-schedule-key': secrets.scheduleKey }
    const response = await fetch(`${functions.url}/functions/v1/update-rides`, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
    })
    const body = (await response.json()) as UpdateResponse['body']
    return { status: response.status, body: response.ok ? checked(Answer, body) : body }
  }
  const pass = async (interval: string) => {
    await project.query(`update public.ride_syncs
      set started_at = started_at - interval '${interval}', finished_at = finished_at - interval '${interval}',
        checked_at = checked_at - interval '${interval}', retry_at = retry_at - interval '${interval}'`)
  }
  return {
    project,
    rwgps,
    functions,
    update: (by = 'owner') => update(by, {}),
    async check() {
      await pass('10 minutes')
      return update('schedule', { check: true })
    },
    async rideIds() {
      const rows = await project.query<{ id: number }>('select id from public.rides order by id')
      return rows.map(({ id }) => id)
    },
    history: () => project.query<Sync>(`select ${FACTS.join()} from public.ride_syncs order by id`),
    pass,
    async reset() {
      rwgps.reset()
      await project.query(DELETE_ROWS)
    },
    async close() {
      await functions.stop()
      await Promise.all([project.close(), rwgps.close()])
    },
  }
}
