import { AXES, type Axis, AXIS_KEYS, byRideAxis, RIDE_AXES, type RideAxis } from '../axes.ts'
import type {
  BikeDays,
  Explanation,
  ForecastLimit,
  ForecastTask,
  RideDays,
  Task,
  WearLimit,
} from '../contracts/service-tasks.ts'
import { addDays, type Day } from '../formats/days.ts'
import {
  daysAtPace,
  findWindows,
  type Goal,
  goalOf,
  hasEnoughChecks,
  isResting,
  rangeOf,
  scoreOf,
  typicalRide,
} from './forecast.ts'
import { sumDays, type Sums, YEAR } from './forecast-windows.ts'
import { byUrgency, SOON_DAYS } from './urgency.ts'

interface Bike {
  sums: Record<RideAxis, Sums>
  typicalRide: Record<RideAxis, number>
}

/** Days until a limit is reached. Infinity: two years or more. */
interface Days {
  axis: Axis
  early: number | null
  likely: number | null
  late: number | null
  note: ForecastTask['forecast_note']
}

/** Adds the likely date to tasks that aren't due yet, and sorts the tasks by urgency. */
export function withForecasts(tasks: readonly Task[], rides: RideDays): ForecastTask[] {
  const bikeOf = createBikes(rides)
  const forecast = tasks.map((task) => {
    const { days, note, isNextRide } = forecastDays(
      task,
      bikeOf(task.gear_id, task.outdoor_only),
      rides.today,
    )
    const dateIn = (count: number | null) =>
      count === null || count === Infinity ? null : addDays(rides.today, count)
    const isSoon = task.state === 'ok' && days !== null && days.likely <= SOON_DAYS
    return {
      ...task,
      state: isSoon ? 'soon' : task.state,
      forecast: days && {
        early: dateIn(days.early),
        likely: addDays(rides.today, days.likely),
        late: dateIn(days.late),
      },
      forecast_note: note,
      is_next_ride: isNextRide,
    }
  })
  return forecast.map((task) => withOther(task, forecast, rides.today)).toSorted(byUrgency)
}

/** Gives a task that only waits for another one the likely date of that. */
function withOther(task: ForecastTask, all: readonly ForecastTask[], today: Day): ForecastTask {
  const other = isWaiting(task) ? all.find(({ id }) => id === task.with_task) : undefined
  const likely = other && (other.fraction >= 1 ? today : other.forecast?.likely)
  return likely === undefined ? task : { ...task, forecast: { early: null, likely, late: null } }
}

/** Returns whether a task has no limit of its own, only another task. */
export const isWaiting = ({ left, with_task }: Pick<Task, 'left' | 'with_task'>) =>
  with_task !== null && AXIS_KEYS.every((axis) => left[axis] === null)

/** Adds the likely date to wear limits that aren't reached yet, and sorts them by urgency. */
export function withLikelyDays(limits: readonly WearLimit[], rides: RideDays): ForecastLimit[] {
  const bikeOf = createBikes(rides)
  return limits
    .map((limit): ForecastLimit => {
      const left = limit.limit_distance - limit.distance
      const unknown = { ...limit, forecast: null, forecast_note: null, is_next_ride: false }
      if (limit.fraction >= 1) return unknown
      const bike = bikeOf(limit.gear_id)
      const { likely } = rideLimit(bike, 'distance', left)
      if (likely === null) return { ...unknown, forecast_note: 'resting' }
      if (likely > YEAR) return { ...unknown, forecast_note: 'over_a_year' }
      return {
        ...unknown,
        state: limit.state === 'ok' && likely <= SOON_DAYS ? 'soon' : limit.state,
        forecast: { early: null, likely: addDays(rides.today, likely), late: null },
        is_next_ride: left < 2 * bike!.typicalRide.distance,
      }
    })
    .toSorted(byUrgency)
}

/** Explains a task's forecast. Returns null if it isn't based on windows, or if it is two years away. */
export function explain(task: Task, rides: RideDays): Explanation | null {
  const bike = createBikes(rides)(task.gear_id, task.outdoor_only)
  if (!bike || !isOpen(task)) return null
  const [first] = rideLimits(task, bike)
    .filter(({ likely, note }) => likely !== null && note !== 'first_year')
    .toSorted((a, b) => a.likely! - b.likely!)
  if (!first) return null
  const axis = first.axis as RideAxis
  const goal = goalFor(bike.sums[axis], remaining(task, axis), axis)
  const { early, likely, late } = rangeOf(goal)
  if (likely === Infinity) return null
  const { recent, earlier } = findWindows(goal)
  return {
    axis,
    remaining: goal.amount,
    windows: { recent: ended(recent), earlier: ended(earlier) },
    range: { early, likely, late: late === Infinity ? null : late },
    score: scoreOf(goal),
  }
}

const ended = (windows: ArrayLike<number>) => Array.from(windows).filter((days) => days > 0)

/** Returns the day by which a bike has likely covered `left` more meters; null if unknown or over a year away. */
export function likelyDay(rides: RideDays, gearId: number, left: number): Day | null {
  if (left <= 0) return null
  const { likely } = rideLimit(createBikes(rides)(gearId), 'distance', left)
  return likely === null || likely > YEAR ? null : addDays(rides.today, likely)
}

/** Creates a cached lookup of a bike's running totals, for all rides or only outdoor rides. The lookup returns undefined if the bike has none. */
function createBikes({ bikes }: RideDays): (gearId: number, outdoorOnly?: boolean) => Bike | undefined {
  const added = new Map<string, Bike>()
  return (gearId, outdoorOnly = false) => {
    const key = `${gearId} ${outdoorOnly}`
    const known = added.get(key)
    const days = bikes.filter((bike) => bike.gear_id === gearId && !(outdoorOnly && bike.is_stationary))
    if (known || days.length === 0) return known
    const sums = byRideAxis((axis) => sumsOf(days, axis))
    const bike = { sums, typicalRide: byRideAxis((axis) => typicalRide(sums[axis])) }
    added.set(key, bike)
    return bike
  }
}

function sumsOf(bikes: readonly BikeDays[], axis: RideAxis): Sums {
  const first = bikes.reduce((most, { ago }) => ago.reduce((most, days) => Math.max(most, days), most), 0)
  const amounts = new Float64Array(first + 1)
  for (const { ago, ...bike } of bikes) {
    for (const [index, days] of ago.entries()) amounts[first - days]! += bike[axis][index]!
  }
  return sumDays(amounts)
}

const isOpen = (task: Task) => task.fraction < 1 && task.state !== 'paused' && task.baseline !== null

interface TaskDays {
  days: { early: number | null; likely: number; late: number | null } | null
  note: ForecastTask['forecast_note']
  isNextRide: boolean
}

/** Picks the limit that is reached first, for each percentile. */
function forecastDays(task: Task, bike: Bike | undefined, today: string): TaskDays {
  const ahead = daysAhead(task, today)
  if (!isOpen(task) && ahead === 0) return { days: null, note: null, isNextRide: false }
  // A planned part has no rides to forecast from.
  const limits = [...(ahead > 0 ? [] : rideLimits(task, bike)), ...dayLimit(task, today)]
  const note = limits.find((limit) => limit.note !== null)?.note ?? null
  const [first] = limits.filter(({ likely }) => likely !== null).toSorted((a, b) => a.likely! - b.likely!)
  if (!first) return { days: null, note, isNextRide: false }
  if (first.axis !== 'days' && first.likely! > YEAR) {
    return { days: null, note: 'over_a_year', isNextRide: false }
  }
  const hasRange = limits.every(({ early }) => early !== null)
  const least = (key: 'early' | 'late') => (hasRange ? Math.min(...limits.map((limit) => limit[key]!)) : null)
  return {
    days: { early: least('early'), likely: first.likely!, late: least('late') },
    note,
    isNextRide: first.axis !== 'days' && remaining(task, first.axis) < 2 * bike!.typicalRide[first.axis],
  }
}

/** Returns the days until a planned part starts; 0 for other parts. */
const daysAhead = ({ state, is_retired, baseline }: Task, today: string) =>
  state === 'paused' && !is_retired && baseline !== null ? Math.max(0, daysUntil(baseline, today)) : 0

const daysUntil = (time: string, today: string) =>
  (Date.parse(`${time.slice(0, 10)}Z`) - Date.parse(`${today}Z`)) / 86_400_000

function dayLimit({ every, due_on, baseline }: Task, today: string): Days[] {
  if (due_on === null && (every.days === null || baseline === null)) return []
  // Not from the days used: after a journey west, the baseline may be tomorrow.
  const left = due_on === null ? daysUntil(baseline!, today) + every.days! : daysUntil(due_on, today)
  return [{ axis: 'days', early: left, likely: left, late: left, note: null }]
}

function rideLimits(task: Task, bike: Bike | undefined): Days[] {
  return RIDE_AXES.flatMap((axis) =>
    task.every[axis] === null ? [] : rideLimit(bike, axis, remaining(task, axis)),
  )
}

function rideLimit(bike: Bike | undefined, axis: RideAxis, left: number): Days {
  const noRange = { axis, early: null, late: null }
  const sums = bike?.sums[axis]
  const today = sums ? sums.length - 2 : 0
  if (!bike || !sums || isResting(sums, today)) return { ...noRange, likely: null, note: 'resting' }
  if (today < YEAR) return { ...noRange, likely: daysAtPace(sums, today, left), note: 'first_year' }
  const goal = goalFor(sums, left, axis)
  const range = rangeOf(goal)
  // A date this far away isn't shown, so its checks don't matter.
  return range.likely > YEAR || hasEnoughChecks(goal)
    ? { axis, ...range, note: null }
    : { ...noRange, likely: range.likely, note: 'low_score' }
}

const goalFor = (sums: Sums, amount: number, axis: RideAxis): Goal =>
  goalOf(sums, amount, AXES[axis].ride.pad)

const remaining = (task: Task, axis: RideAxis) => task.every[axis]! - task.used[axis]
