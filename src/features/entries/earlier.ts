import { AXES, RIDE_AXES, type RideAxis, wholeAmount } from '../../../supabase/functions/_shared/axes.ts'
import type { Earlier } from '../../../supabase/functions/_shared/contracts/fields.ts'
import type { Formats } from '../../lib/formats.ts'

export type { Earlier }

/** Formats a part's usage before the log: `1,200 mi, 80 h`. Returns an empty string if it is unknown or zero. */
export function formatEarlier(
  part: Earlier,
  formats: Formats,
  axes: readonly RideAxis[] = RIDE_AXES,
): string {
  const amounts = axes.flatMap((axis) => {
    const amount = part[AXES[axis].ride.earlier]
    return amount ? [wholeAmount(amount, axis, formats)] : []
  })
  return amounts.join(', ')
}

/** Formats the earlier usage that a total includes: `incl. 1,200 mi before this log`. Without `axis`, adds hours. */
export function inclEarlier(part: Earlier, formats: Formats, axis?: RideAxis): string {
  const usage = formatEarlier(part, formats, axis && [axis])
  return usage && `incl. ${usage} before this log`
}

/** Formats a part's lifetime distance: `2,686.5 mi total, incl. 1,200 mi before this log`. */
export function formatInAll(part: Earlier & { distance: number }, formats: Formats): string {
  const total = `${formats.distance.format(part.distance)} total`
  return [total, inclEarlier(part, formats, 'distance')].filter(Boolean).join(', ')
}
