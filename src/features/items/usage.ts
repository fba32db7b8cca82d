import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import type { Item } from './fields.ts'
import { readFirstRide, readPartDetails, readUsage } from './usage-api.ts'

/** A bike's usage, by gear_id. Reloads at midnight. */
export const usageAtom = atomFamily((gearId: number) =>
  resourceAtom(KEYS.usage(gearId), (get, { signal }) => {
    get(todayAtom)
    return readUsage(get(backendAtom).client, gearId, signal)
  }),
)

export const usageOnDayAtom = (gearId: number, day: Day) => usageOnDayByKeyAtom(`${gearId}/${day}`)

const usageOnDayByKeyAtom = atomFamily((key: string) => {
  const [gearId, day] = key.split('/') as [string, Day]
  return resourceAtom(
    KEYS.usage(Number(gearId), day),
    (get, { signal }) => readUsage(get(backendAtom).client, Number(gearId), signal, day),
    { isCached: false },
  )
})

/** The details of an item's part. Reloads at midnight. */
export const partDetailsAtom = ({ bikeId, part_id }: Pick<Item, 'bikeId' | 'part_id'>) =>
  partDetailsByKeyAtom(`${bikeId}/${part_id}`)

const partDetailsByKeyAtom = atomFamily((key: string) => {
  const [gearId, partId] = key.split('/').map(Number) as [number, number]
  return resourceAtom(KEYS.part(partId), (get, { signal }) => {
    get(todayAtom)
    return readPartDetails(get(backendAtom).client, gearId, partId, signal)
  })
})

export const firstRideAtom = atomFamily((gearId: number) =>
  resourceAtom(
    KEYS.firstRide(gearId),
    (get, { signal }) => readFirstRide(get(backendAtom).client, gearId, signal),
    { isCached: false },
  ),
)
