import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { DATES, type Input, PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import type { Item } from './fields.ts'
import { readPartDetails, readUsage } from './usage-api.ts'
import { applyToPart } from './waiting.ts'

const usageReads = (bike: number): Input[] => [
  'rides',
  'dismissals',
  { of: 'log', bike, columns: [...DATES, 'service'] },
]

/** A bike's usage, by gear_id. Reloads at midnight. */
export const usageAtom = weakFamily((gearId: number) =>
  resourceAtom({ reads: usageReads(gearId), cacheAs: `usage/${gearId}` }, (get, { signal }) => {
    get(todayAtom)
    return readUsage(get(backendAtom).client, gearId, signal)
  }),
)

export const usageOnDayAtom = (gearId: number, day: Day) => usageOnDayByKeyAtom(`${gearId}/${day}`)

const usageOnDayByKeyAtom = weakFamily((key: string) => {
  const [gearId, day] = key.split('/') as [string, Day]
  return resourceAtom({ reads: usageReads(Number(gearId)) }, (get, { signal }) =>
    readUsage(get(backendAtom).client, Number(gearId), signal, day),
  )
})

/** The details of an item's part. Reloads at midnight. */
export const partDetailsAtom = ({ bikeId, part_id }: Pick<Item, 'bikeId' | 'part_id'>) =>
  partDetailsByKeyAtom(`${bikeId}/${part_id}`)

const partDetailsByKeyAtom = weakFamily((key: string) => {
  const [gearId, partId] = key.split('/').map(Number) as [number, number]
  const reads: Input[] = ['rides', PARTS_AND_COSTS, { of: 'measurements', part: partId }]
  return resourceAtom({ reads, cacheAs: `part/${partId}`, applyWaiting: applyToPart }, (get, { signal }) => {
    get(todayAtom)
    return readPartDetails(get(backendAtom).client, gearId, partId, signal)
  })
})
