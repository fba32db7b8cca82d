import type { Earlier } from '../../../supabase/functions/_shared/contracts/fields.ts'
import { formatCount, formatHours } from '../../lib/formats.ts'
import type { Units } from '../../lib/units.ts'

export type { Earlier }

/** What a part was ridden before the log: `1,200 mi, 80 h`. Empty if that is unknown or nothing. */
export function earlierWords({ earlier_distance, earlier_moving_time }: Earlier, units: Units): string {
  const { of, unit } = units.distance
  return [
    earlier_distance ? [`${formatCount(of(earlier_distance))}\u00A0${unit}`] : [],
    earlier_moving_time ? [formatHours(earlier_moving_time)] : [],
  ]
    .flat()
    .join(', ')
}

/** Says that a number includes them: `incl. 1,200 mi earlier`. `axis`: the number is only miles, or only hours. */
export function inclEarlier(
  { earlier_distance, earlier_moving_time }: Earlier,
  units: Units,
  axis?: 'distance' | 'moving_time',
): string {
  const words = earlierWords(
    {
      earlier_distance: axis === 'moving_time' ? null : earlier_distance,
      earlier_moving_time: axis === 'distance' ? null : earlier_moving_time,
    },
    units,
  )
  return words && `incl. ${words} earlier`
}

/** The distance of a part over all its items: `2,686.5 mi in all, incl. 1,200 mi earlier`. */
export function inAllWords(part: Earlier & { distance: number }, units: Units): string {
  const inAll = `${units.distance.format(part.distance)} in all`
  return [inAll, inclEarlier(part, units, 'distance')].filter(Boolean).join(', ')
}
