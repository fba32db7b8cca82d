import type { WearLimit } from '../contracts/service-tasks.ts'
import type { Formats } from '../formats/formats.ts'

/** Names what is measured and its limit: `Chain at 0.5%`, `Pad at 1 mm`. */
export function limitName({ unit, limit }: Pick<WearLimit, 'unit' | 'limit'>): string {
  const [, what = unit, symbol = ''] = /^\s*(.*\S)\s*(%|mm)\s*$/.exec(unit) ?? []
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} at ${limit}${symbol === 'mm' ? ' mm' : symbol}`
}

/** Says how the limit is known: `read on 11/28/2026`, `likely from 1,480 mi on`. */
export const limitSource = (
  { reached_on, limit_distance }: Pick<WearLimit, 'reached_on' | 'limit_distance'>,
  formats: Pick<Formats, 'day' | 'distance'>,
): string =>
  reached_on === null
    ? `likely from ${formats.distance.formatWhole(limit_distance)} on`
    : `read on ${formats.day(reached_on)}`
