import { AXES, type RideAxis, wholeAmount } from '../axes.ts'
import type { Comparison, Family, Group, Lifetime } from '../contracts/lifetimes.ts'
import { formatCount, type Formats, MISSING, quote, upperFirst } from '../formats/formats.ts'
import type { PartKind } from '../kinds.ts'
import { kindPlural } from './kind-messages.ts'
import { amountOf, costOf, listAmounts, longestOf, unitOf } from './lifetime-stats.ts'

export function titleOf({ kind, position, type }: Family, families: readonly Family[]): string {
  if (kind === null) {
    const hasKinds = families.some((other) => other.type === type && other.kind !== null)
    if (type === null) return 'No type'
    return hasKinds ? `Other ${type.toLowerCase()}` : type
  }
  const plural = kindPlural(kind)
  if (position !== 'both') return upperFirst(position === null ? plural : `${position} ${plural}`)
  const pairs: Partial<Record<PartKind, string>> = { tire: 'Tires (pair)', wheel: 'Wheelset' }
  return pairs[kind] ?? upperFirst(`${plural}, both`)
}

/** Describes which name lasts longest: `KMC X11, about 2,690 mi`. Null if no part is worn out. */
export function longestIn(
  { longest }: Family,
  groups: readonly Group[],
  axis: RideAxis,
  formats: Formats,
): string | null {
  const group = groups.find(({ key }) => key === longest[axis])
  return group ? `${group.name}, ${group.median ? 'about ' : ''}${lengthOf(group, axis, formats, 10)}` : null
}

/** Describes which name lasts longest and which costs least: `Longest: KMC X11, about 2,690 mi. Too few worn-out parts to say which costs least.` */
export function answerOf(family: Family, groups: readonly Group[], axis: RideAxis, formats: Formats): string {
  const longest = longestIn(family, groups, axis, formats)
  const cheapest = groups.find(({ key }) => key === family.cheapest[axis])
  return [
    ...(longest === null ? [] : [`Longest: ${longest}.`]),
    cheapest
      ? `Cheapest: ${cheapest.name}, ${formatRate(cheapest, axis, formats)}.`
      : 'Too few worn-out parts to say which costs least.',
  ].join(' ')
}

/** Describes how long a group's parts last: `2,690 mi`, `1,826 and 2,597 mi`, `over 1,487 mi`. */
export function lengthOf(group: Group, axis: RideAxis, formats: Formats, step = 1): string {
  const { median, finished, range, lifetimes } = group
  const unit = `\u00A0${unitOf(axis, formats)}`
  if (median) {
    const isLess = median[AXES[axis].ride.medianKind] === 'over'
    const amount = Math.round(amountOf(median[axis], axis, formats) / step) * step
    return `${isLess ? 'over ' : ''}${formatCount(amount)}${unit}`
  }
  if (range && finished > 0) {
    const [low, high] = range[axis].map((value) => formatCount(amountOf(value, axis, formats)))
    return finished === 1 ? `${high}${unit}` : `${low} and ${high}${unit}`
  }
  const longest = longestOf({ lifetimes }, axis)
  return longest === 0 ? MISSING : `over ${wholeAmount(longest, axis, formats)}`
}

/** Counts a group's parts by how they ended: `3 worn out, 1 still in use`. Without a median, says how far the others got. */
export function countsOf({ finished, lifetimes, median }: Group, axis: RideAxis, formats: Formats): string {
  const early = lifetimes.filter((part) => !part.running && !part.finished)
  const running = lifetimes.filter((part) => part.running)
  // The length already says how far a single part got.
  const isListed = median === null && lifetimes.length > 1
  const amounts = (parts: readonly Lifetime[]) => (isListed ? listAmounts(parts, axis, formats) : null)
  const counts: [number, string, string | null][] = [
    [finished, 'worn out', null],
    [early.length, 'ended early', amounts(early)],
    [running.length, 'still in use', amounts(running)],
  ]
  return counts
    .flatMap(([count, label, listed]) =>
      count === 0 ? [] : [`${count} ${label}${listed === null ? '' : ` at ${listed}`}`],
    )
    .join(', ')
}

export function formatRate(group: Group, axis: RideAxis, formats: Formats): string {
  const cost = costOf(group, axis, formats)
  if (cost === MISSING) return cost
  return `${cost} per ${AXES[axis].ride.rate.name(formats).replace(' ', '\u00A0')}`
}

const named = (names: string[]) => names.map(quote).join(', ')

/** Says whether a group lasts longer than the others of its kind. Returns an empty string if there are none. */
export function comparisonOf(
  { key, kind, position, is_comparable }: Group,
  groups: readonly Group[],
  comparisons: readonly Comparison[],
): string {
  const longer = comparisons.filter((one) => one.longer_key === key).map(({ shorter }) => shorter)
  const shorter = comparisons.filter((one) => one.shorter_key === key).map(({ longer }) => longer)
  if (longer.length > 0) return `It lasted longer than ${named(longer)}.`
  if (shorter.length > 0) return `${named(shorter)} lasted longer.`
  const isOfKind = (other: Group) => other.kind === kind && other.position === position && other.key !== key
  if (kind === null || !groups.some(isOfKind)) return ''
  return is_comparable
    ? 'No clear difference from others of its kind.'
    : 'Too few are worn out to compare with others of its kind.'
}
