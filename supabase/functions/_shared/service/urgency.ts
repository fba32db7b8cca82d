import type { ForecastTask } from '../contracts/service-tasks.ts'

/** A task that is likely due within these days is `soon`. */
export const SOON_DAYS = 14

const RANKS = { overdue: 0, due: 1, soon: 2, ok: 2, snoozed: 3, paused: 4 }

type Urgent = Pick<ForecastTask, 'state' | 'fraction'> & Partial<Pick<ForecastTask, 'forecast'>>

const dayOf = ({ forecast }: Urgent) => forecast?.likely ?? '9999-12-31'

/**
 * The order of tasks everywhere: overdue, then due tasks by the used share of their limit, then others by likely date, those
 * without a date last. Snoozed and paused tasks come after all others.
 */
export function byUrgency(a: Urgent, b: Urgent): number {
  const rank = RANKS[a.state]
  if (rank !== RANKS[b.state]) return rank - RANKS[b.state]
  if (rank !== RANKS.ok || dayOf(a) === dayOf(b)) return b.fraction - a.fraction
  return dayOf(a) < dayOf(b) ? -1 : 1
}
