import { useAtomValue } from 'jotai'

import { type RideAxis, wholeAmount } from '../../../supabase/functions/_shared/axes.ts'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import { todayAtom } from '../../lib/clock.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { inclEarlier } from '../entries/earlier.ts'
import { detailsHref } from '../entries/links.ts'
import type { Group, Lifetime } from './api.ts'
import { endOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'

export const NO_TYPE = 'No type'

/** Names a kind of part in the address. */
export const nameOfKind = ({ kind, position, type }: Pick<Group, 'kind' | 'position' | 'type'>) =>
  kind === null ? (type ?? NO_TYPE) : [position, kind].filter(Boolean).join(' ')

export const kindHref = (group: Group) =>
  `#garage&tab=lifetimes&kind=${encodeURIComponent(nameOfKind(group))}`

export const hrefOf = ({ gear_id, item_id }: Lifetime) => detailsHref(gear_id, item_id)

export const datesOf = ({ started, ended }: Lifetime, { shortDay }: Formats, today: Day): string =>
  `${shortDay(dayOf(started), today)} – ${ended === null ? 'today' : shortDay(dayOf(ended), today)}`

/** Returns a function that describes a lifetime: `KMC X11, Blue Domane, Jan 5, 2024 – Jul 31, 2024: 2,401 mi, worn` */
export function useDescribe() {
  const bikeName = useAtomValue(bikeNameAtom)
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  return (lifetime: Lifetime, axis: RideAxis) => {
    const atLeast = lifetime.finished ? '' : 'at least '
    const amount = wholeAmount(lifetime[axis], axis, formats)
    const incl = inclEarlier(lifetime, formats, axis)
    const lasted = [`${atLeast}${amount}`, incl, endOf(lifetime)].filter(Boolean).join(', ')
    return `${lifetime.name}, ${bikeName(lifetime.gear_id)}, ${datesOf(lifetime, formats, today)}: ${lasted}`
  }
}
