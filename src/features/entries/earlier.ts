import type { Earlier } from '../../../supabase/functions/_shared/contracts/fields.ts'
import { formatHours, type Formats } from '../../lib/formats.ts'

export type { Earlier }

/** Formats a part's usage before the log: `1,200 mi, 80 h`. Returns an empty string if it is unknown or zero. */
export function formatEarlier({ earlier_distance, earlier_moving_time }: Earlier, formats: Formats): string {
  return [
    earlier_distance ? [formats.distance.formatWhole(earlier_distance)] : [],
    earlier_moving_time ? [formatHours(earlier_moving_time)] : [],
  ]
    .flat()
    .join(', ')
}

/** Formats the earlier usage that a total includes: `incl. 1,200 mi before this log`. Without `axis`, adds hours. */
export function inclEarlier(
  { earlier_distance, earlier_moving_time }: Earlier,
  formats: Formats,
  axis?: 'distance' | 'moving_time',
): string {
  const usage = formatEarlier(
    {
      earlier_distance: axis === 'moving_time' ? null : earlier_distance,
      earlier_moving_time: axis === 'distance' ? null : earlier_moving_time,
    },
    formats,
  )
  return usage && `incl. ${usage} before this log`
}

/** Formats a part's lifetime distance: `2,686.5 mi total, incl. 1,200 mi before this log`. */
export function formatInAll(part: Earlier & { distance: number }, formats: Formats): string {
  const total = `${formats.distance.format(part.distance)} total`
  return [total, inclEarlier(part, formats, 'distance')].filter(Boolean).join(', ')
}
