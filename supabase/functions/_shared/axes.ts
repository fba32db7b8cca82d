import type { Earlier, Rates } from './contracts/fields.ts'
import { PAD_METERS, PAD_SECONDS } from './service/forecast.ts'
import { counted, formatCount, formatNumber, halfUp, HOURS, type Units } from './formats/formats.ts'
import { MAX_DAYS, MAX_DISTANCE, MAX_HOURS } from './limits.ts'

interface AxisRule {
  /** In names for other software: `every_hours`. */
  name: string
  /** The largest limit that can be entered. */
  max: number
  isWhole: boolean
  /** Converts between stored and entered amounts. `of` rounds. */
  entered: (units: Units) => Record<'exact' | 'of' | 'toStored', (amount: number) => number>
  /** The unit in labels, such as `Every miles`. */
  label: (units: Units) => string
  /** A limit or used amount and its unit: `268.3`, `mi`. */
  number: (stored: number, units: Units) => string
  unit: (units: Units) => string
  /** An amount in running text: `61 mi`, `61 outdoor mi`, `4.5 h`, `12 days`. */
  amount: (stored: number, units: Units, isOutdoor: boolean) => string
  /** The smallest amount in running text, which avoids "in 0.0 mi" just before the limit. */
  least: (units: Units) => number
  /** Null: not ridden, but passing. */
  ride: RideRule | null
  /** For other software. */
  about: { limit: string; due: string; used: string }
}

interface RideRule {
  /** The unit after a whole number: `mi`, `h`. */
  unit: (units: Units) => string
  /** Added to both paces of a forecast, so a few more rides don't double them. */
  pad: number
  /** A cost per `per` stored units. It is shown per `shown` entered units, which `name` names: `1,000 mi`. */
  rate: { key: keyof Rates; per: number; shown: number; name: (units: Units) => string }
  /** The part's usage before the log. */
  earlier: keyof Earlier
  /** Says how a group's median was found. */
  medianKind: 'kind' | 'moving_time_kind'
}

const same = (amount: number) => amount

const ridden = (value: number, unit: string, isOutdoor: boolean) =>
  `${value >= 10 || Number.isInteger(value) ? formatCount(value) : value.toFixed(1)} ${isOutdoor ? 'outdoor ' : ''}${unit}`

/**
 * The limits that a service task can have, by the key in `every` and `used`, in display order. Each has a column `every_…` of
 * `service_tasks`. Contracts, forms, messages, forecasts, the calendar feed and the API derive from this list.
 */
export const AXES = {
  distance: {
    name: 'distance',
    max: MAX_DISTANCE,
    isWhole: false,
    entered: ({ distance }) => distance,
    label: ({ name }) => name.toLowerCase(),
    number: (meters, { distance }) => distance.number(meters),
    unit: ({ distance }) => distance.unit,
    amount: (meters, { distance }, isOutdoor) => ridden(distance.of(meters), distance.unit, isOutdoor),
    least: ({ distance }) => distance.toStored(0.1),
    ride: {
      unit: ({ distance }) => distance.unit,
      pad: PAD_METERS,
      rate: { key: 'cost_per_km', per: 1000, shown: 1000, name: ({ distance }) => `1,000 ${distance.unit}` },
      earlier: 'earlier_distance',
      medianKind: 'kind',
    },
    about: {
      limit: 'in `units`',
      due: 'After how much riding it is due, in `units`.',
      used: 'Ridden since the task was last done, in `units`.',
    },
  },
  moving_time: {
    name: 'hours',
    max: MAX_HOURS,
    isWhole: false,
    entered: () => HOURS,
    label: () => 'hours',
    number: (seconds) => formatNumber(HOURS.of(seconds)),
    unit: () => 'hours',
    amount: (seconds, _units, isOutdoor) => ridden(halfUp(seconds / 3600, 1), 'h', isOutdoor),
    least: () => 360,
    ride: {
      unit: () => 'h',
      pad: PAD_SECONDS,
      rate: { key: 'cost_per_hour', per: 3600, shown: 1, name: () => 'hour' },
      earlier: 'earlier_moving_time',
      medianKind: 'moving_time_kind',
    },
    about: {
      limit: 'in hours of riding',
      due: 'After how many hours of riding it is due.',
      used: 'Hours ridden since the task was last done.',
    },
  },
  days: {
    name: 'days',
    max: MAX_DAYS,
    isWhole: true,
    entered: () => ({ exact: same, of: same, toStored: same }),
    label: () => 'days',
    number: formatNumber,
    unit: () => 'days',
    amount: (days) => counted(days, 'day'),
    least: () => 1,
    ride: null,
    about: {
      limit: 'in days',
      due: 'After how many days it is due.',
      used: 'Days since the task was last done.',
    },
  },
} as const satisfies Record<string, AxisRule>

export type Axis = keyof typeof AXES
/** An axis whose amounts are the sums of rides. */
export type RideAxis = { [A in Axis]: (typeof AXES)[A]['ride'] extends null ? never : A }[Axis]

export const AXIS_KEYS = Object.keys(AXES) as [Axis, ...Axis[]]
export const RIDE_AXES = AXIS_KEYS.filter((axis): axis is RideAxis => AXES[axis].ride !== null)

/** Returns an object with a value for each axis. */
export const byAxis = <Value>(valueOf: (axis: Axis) => Value) =>
  Object.fromEntries(AXIS_KEYS.map((axis) => [axis, valueOf(axis)])) as Record<Axis, Value>

export const byRideAxis = <Value>(valueOf: (axis: RideAxis) => Value) =>
  Object.fromEntries(RIDE_AXES.map((axis) => [axis, valueOf(axis)])) as Record<RideAxis, Value>

type Named<Prefix extends string, Value> = { [A in Axis as `${Prefix}_${(typeof AXES)[A]['name']}`]: Value }
/** Returns an object with a value for each axis under a name such as `every_hours`. */
export function namedByAxis<Prefix extends string, Value>(
  prefix: Prefix,
  valueOf: (axis: Axis) => Value,
): Named<Prefix, Value> {
  const named = AXIS_KEYS.map((axis) => [`${prefix}_${AXES[axis].name}`, valueOf(axis)])
  return Object.fromEntries(named) as Named<Prefix, Value>
}

/** Returns an object with a value for each axis under its column: `every_moving_time`. */
export const columnsByAxis = <Value>(valueOf: (axis: Axis) => Value) =>
  Object.fromEntries(AXIS_KEYS.map((axis) => [`every_${axis}`, valueOf(axis)])) as Record<
    `every_${Axis}`,
    Value
  >

export const earlierByAxis = <Value>(valueOf: (axis: RideAxis) => Value) =>
  Object.fromEntries(RIDE_AXES.map((axis) => [AXES[axis].ride.earlier, valueOf(axis)])) as Record<
    keyof Earlier,
    Value
  >

/** Formats a whole amount: `1,200 mi`, `80 h`. */
export const wholeAmount = (stored: number, axis: RideAxis, units: Units): string =>
  `${formatCount(AXES[axis].entered(units).exact(stored))}\u00A0${AXES[axis].ride.unit(units)}`

/** The limits' names for other software. */
export const LIMITS = AXIS_KEYS.map((axis) => `every_${AXES[axis].name}` as const)

/** `every_distance, every_hours and every_days` */
export const listLimits = (word: 'and' | 'or') => listWith(word, LIMITS)

/** `distance, hours or days` */
export const LISTED_AXES = listWith(
  'or',
  AXIS_KEYS.map((axis) => AXES[axis].name),
)

/** `a, b and c` */
export function listWith(word: 'and' | 'or', names: readonly string[]) {
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
