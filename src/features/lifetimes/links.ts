import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { dayOf, formatShortDay } from '../../lib/days.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { inclEarlier } from '../items/earlier.ts'
import { detailsHref } from '../items/links.ts'
import type { Group, Lifetime } from './api.ts'
import { type Axis, endOf, formatAmount } from './lifetime-stats.ts'

export const NO_TYPE = 'No type'

/** Names a kind of part in the address. */
export const nameOfKind = ({ kind, type }: Pick<Group, 'kind' | 'type'>) => kind ?? type ?? NO_TYPE

export const kindHref = (group: Group) =>
  `#garage&tab=lifetimes&kind=${encodeURIComponent(nameOfKind(group))}`

export const hrefOf = ({ gear_id, item_id }: Lifetime) => detailsHref(gear_id, item_id)

export const datesOf = ({ started, ended }: Lifetime): string =>
  `${formatShortDay(dayOf(started))} – ${ended === null ? 'today' : formatShortDay(dayOf(ended))}`

/** Returns a function that describes a lifetime: `KMC X11, Blue Domane, Jan 5, 2024 – Jul 31, 2024: 2,401 mi, worn` */
export function useDescribe() {
  const bikeName = useAtomValue(bikeNameAtom)
  const units = useAtomValue(unitsAtom)
  return (lifetime: Lifetime, axis: Axis) => {
    const atLeast = lifetime.finished ? '' : 'at least '
    const amount = formatAmount(lifetime[axis], axis, units)
    const incl = inclEarlier(lifetime, units, axis)
    const lasted = [`${atLeast}${amount}`, incl, endOf(lifetime)].filter(Boolean).join(', ')
    return `${lifetime.name}, ${bikeName(lifetime.gear_id)}, ${datesOf(lifetime)}: ${lasted}`
  }
}
