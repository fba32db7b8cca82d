import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { dayOf, formatDay } from '../../lib/days.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { logHref } from '../items/links.ts'
import type { Lifetime } from './api.ts'
import { type Axis, endOf, formatAmount } from './lifetime-stats.ts'

/** Names bikes, also one that is gone. */
export function useBikeName() {
  const bikes = useAtomValue(bikesAtom)
  return (gearId: number) =>
    (bikes.state === 'ready' ? bikes.data.find(({ gear_id }) => gear_id === gearId)?.name : undefined) ??
    `Bike ${gearId}`
}

/** Links to the details of a part. */
export const useHref = () => (lifetime: Lifetime) => `${logHref(lifetime.gear_id)}&item=${lifetime.item_id}`

export const datesOf = ({ started, ended }: Lifetime): string =>
  `${formatDay(dayOf(started))} – ${ended === null ? 'today' : formatDay(dayOf(ended))}`

/** `KMC X11, Blue Domane, 01/05/2024 – 07/31/2024: 2,401 mi, worn` */
export function useDescribe() {
  const bikeName = useBikeName()
  const units = useAtomValue(unitsAtom)
  return (lifetime: Lifetime, axis: Axis) => {
    const atLeast = lifetime.finished ? '' : 'at least '
    const amount = formatAmount(lifetime[axis], axis, units)
    return `${lifetime.name}, ${bikeName(lifetime.gear_id)}, ${datesOf(lifetime)}: ${atLeast}${amount}, ${endOf(lifetime)}`
  }
}
