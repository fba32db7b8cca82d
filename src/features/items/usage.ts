import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readFirstRide, readUsage } from './usage-api.ts'

/** The usage of a bike and its items, by gear_id. Read again after each sync and at midnight. */
export const usageAtom = atomFamily((gearId: number) =>
  resourceAtom(
    (get, { signal }) => {
      get(ridesChangedAtom)
      get(todayAtom)
      return readUsage(get(backendAtom).client, gearId, signal)
    },
    { cacheKey: `usage/${gearId}` },
  ),
)

/** The usage of a bike at the end of a day, and of the items that were on it then. */
export const usageOnDayAtom = (gearId: number, day: Day) => usageOnDayByKeyAtom(`${gearId}/${day}`)

const usageOnDayByKeyAtom = atomFamily((key: string) => {
  const [gearId, day] = key.split('/')
  return resourceAtom((get, { signal }) => {
    get(ridesChangedAtom)
    return readUsage(get(backendAtom).client, Number(gearId), signal, day as Day)
  })
})

/** The day of a bike's first ride, by gear_id. */
export const firstRideAtom = atomFamily((gearId: number) =>
  resourceAtom((get, { signal }) => {
    get(ridesChangedAtom)
    return readFirstRide(get(backendAtom).client, gearId, signal)
  }),
)
