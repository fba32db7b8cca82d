import { utcDay } from './calendar.ts'
import { COMMUTER_LOG } from './log/commuter.ts'
import { GRAVEL_LOG } from './log/gravel.ts'
import { ROAD_LOG } from './log/road.ts'
import { type LogRow, oneOClock } from './log/succession.ts'
import { TRAIL_LOG } from './log/trail.ts'

/**
 * The rider's maintenance log as it stood at `now`, as rows to insert into `public.maintenance`: `bikeId` is the gear's
 * id, costs are whole dollars, times are wall clocks at 01:00:00. A part whose end is still to come is in use.
 */
export function sampleLog(now: Date): LogRow[] {
  const today = oneOClock(utcDay(now))
  return [...ROAD_LOG, ...COMMUTER_LOG, ...TRAIL_LOG, ...GRAVEL_LOG]
    .filter((row) => row.dateStarted <= today)
    .map((row) => (row.dateEnded !== null && row.dateEnded > today ? stillInUse(row) : row))
}

const stillInUse = (row: LogRow): LogRow => ({ ...row, dateEnded: null })
