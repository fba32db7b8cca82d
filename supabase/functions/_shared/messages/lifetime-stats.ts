import { AXES, type RideAxis, wholeAmount } from '../axes.ts'
import type { Rates } from '../contracts/fields.ts'
import type { Group, Lifetime } from '../contracts/lifetimes.ts'
import { counted, formatCount, type Formats, MISSING } from '../formats/formats.ts'

/** Converts an amount to the shown unit, without rounding: miles, kilometers or hours. */
export const amountOf = (value: number, axis: RideAxis, formats: Formats): number =>
  AXES[axis].entered(formats).exact(value)

export const unitOf = (axis: RideAxis, formats: Formats): string => AXES[axis].ride.unit(formats)

const number = (value: number, axis: RideAxis, formats: Formats) =>
  formatCount(amountOf(value, axis, formats))

export const longestOf = ({ lifetimes }: Pick<Group, 'lifetimes'>, axis: RideAxis): number =>
  Math.max(0, ...lifetimes.map((lifetime) => lifetime[axis]))

/** Describes a group's typical lifetime, or each lifetime if too few are finished: `1 lasted 559 mi, 1 still in use at 900 mi`. */
export function typicalOf(group: Group, axis: RideAxis, formats: Formats): string {
  const { median, lifetimes } = group
  const used = lifetimes.filter(({ distance }) => distance > 0)
  if (median === null) return listOf(used, axis, formats)
  const typical = wholeAmount(median[axis], axis, formats)
  const kind = median[AXES[axis].ride.medianKind]
  return kind === 'over' ? `>\u00A0${typical} (${used.length}\u00A0parts)` : typical
}

/** `559 mi`, `559 and 1,200 mi` or `559–2,300 mi`. Null without parts that were ridden. */
export function listAmounts(lifetimes: readonly Lifetime[], axis: RideAxis, formats: Formats): string | null {
  const values = lifetimes.filter(({ distance }) => distance > 0).map((lifetime) => lifetime[axis])
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b).map((value) => number(value, axis, formats))
  const listed = sorted.length > 2 ? `${sorted[0]}–${sorted.at(-1)}` : sorted.join(' and ')
  return `${listed}\u00A0${unitOf(axis, formats)}`
}

function listOf(lifetimes: readonly Lifetime[], axis: RideAxis, formats: Formats): string {
  const describe = (verb: string, isListed: (lifetime: Lifetime) => boolean) => {
    const listed = lifetimes.filter(isListed)
    return listed.length === 0 ? [] : [`${listed.length} ${verb} ${listAmounts(listed, axis, formats)}`]
  }
  const list = [
    describe('lasted', ({ finished }) => finished),
    describe('lasted at least', ({ finished, running }) => !finished && !running),
    describe('still in use at', ({ running }) => running),
  ].flat()
  return list.join(', ') || MISSING
}

export function rangeOf({ range, has_range }: Group, axis: RideAxis, formats: Formats): string {
  if (range === null || !has_range) return MISSING
  const [low, high] = range[axis]
  return `${number(low, axis, formats)}–${number(high, axis, formats)}`
}

export function spreadOf(group: Group, axis: RideAxis, formats: Formats): string {
  const count = group.lifetimes.length
  const range = rangeOf(group, axis, formats)
  const text = counted(count, 'lifetime')
  return range === MISSING
    ? `${text}.`
    : `${text}. The worn-out parts lasted ${range}\u00A0${unitOf(axis, formats)}.`
}

export function ruleOf({ median, finished, lifetimes }: Group, axis: RideAxis): string {
  if (median === null) return 'A median needs three worn-out parts.'
  const kind = median[AXES[axis].ride.medianKind]
  if (kind === 'over')
    return 'Parts that aren’t worn out have already outlasted the others, so the median is not known yet.'
  if (kind === 'kaplan_meier')
    return `A part that isn’t worn out has outlasted the median, so this is the Kaplan-Meier median of all ${lifetimes.length} parts.`
  const others = lifetimes.length - finished
  const atLeast =
    others === 0 ? '' : ` The other ${others === 1 ? 'part counts' : `${others} count`} as “at least”.`
  return `The median of the ${finished} worn-out parts.${atLeast}`
}

/** Returns the cost per 1,000 miles or kilometers, or per hour. Null if it is unknown. */
export function rateOf(of: Rates, axis: RideAxis, formats: Formats): number | null {
  const { key, per, shown } = AXES[axis].ride.rate
  const rate = of[key]
  return rate === null ? null : (rate * AXES[axis].entered(formats).toStored(shown)) / per
}

export const rateLabel = (axis: RideAxis, formats: Formats): string =>
  `Cost per ${AXES[axis].ride.rate.name(formats)}`

/** Formats a part's cost per distance or hour. Adds “≤” until the part is worn out, because more rides lower the cost. */
export function costSoFar(part: Lifetime, axis: RideAxis, formats: Formats): string {
  const rate = rateOf(part, axis, formats)
  return `${rate === null || part.finished ? '' : '≤\u00A0'}${formats.money(rate)}`
}

export function costOf(group: Group, axis: RideAxis, formats: Formats): string {
  const rate = rateOf(group, axis, formats)
  if (rate !== null) return formats.money(rate)
  const [only, ...others] = group.lifetimes
  return only && others.length === 0 ? costSoFar(only, axis, formats) : MISSING
}

export function endOf({ running, ended_as }: Lifetime): string {
  if (running) return 'in use'
  return ended_as ?? 'no reason, counts as worn'
}
