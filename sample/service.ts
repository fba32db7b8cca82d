import { METERS_PER_MILE } from '../supabase/functions/_shared/formats/units.ts'
import { type Day, utcDay } from './calendar.ts'
import { COMMUTER, GRAVEL, ROAD } from './gear.ts'

interface SampleTask {
  bikeId: number
  /** The name of an item in use; null if the task belongs to the bike. */
  item: string | null
  name: string
  kind: 'service' | 'replace' | 'check'
  every_distance?: number
  every_days?: number
  /** The days on which the task was done, latest first. Empty if it wasn't done since the part was installed. */
  done: Day[]
  snoozed_until?: Day
}

const miles = (count: number) => count * METERS_PER_MILE
const DAY = 86_400_000

/** Returns the tasks as of `now`. Intervals in days make some of them overdue, due, due soon or snoozed, even without rides. */
export function sampleService(now: Date): SampleTask[] {
  const ago = (...days: number[]) => days.map((count) => utcDay(new Date(now.getTime() - count * DAY)))
  const chain = { bikeId: ROAD, item: 'KMC X11SL chain' }
  const rearTire = { bikeId: ROAD, item: 'Continental GP 5000 S TR 30, rear' }
  const road = { bikeId: ROAD, item: null }
  return [
    { ...chain, name: 'Wipe chain', kind: 'service', every_distance: miles(100), done: ago(4, 9, 16) },
    { ...chain, name: 'Wax', kind: 'service', every_distance: miles(300), done: ago(16, 44, 71, 98) },
    { ...chain, name: 'Check chain wear', kind: 'check', every_distance: miles(500), done: ago(44) },
    { ...chain, name: 'Replace chain', kind: 'replace', every_distance: miles(4000), done: [] },
    { ...rearTire, name: 'Sealant', kind: 'service', every_days: 90, done: ago(97, 190) },
    {
      bikeId: ROAD,
      item: 'Shimano L05A resin pads, both',
      name: 'Check brake pads',
      kind: 'check',
      every_distance: miles(500),
      done: ago(16, 71),
    },
    { ...road, name: 'Check bolts', kind: 'check', every_days: 90, done: ago(90, 175) },
    {
      ...road,
      name: 'Full service',
      kind: 'service',
      every_distance: miles(4000),
      every_days: 365,
      done: ago(335),
    },
    { bikeId: GRAVEL, item: null, name: 'Hub service', kind: 'service', every_days: 365, done: ago(365) },
    { bikeId: GRAVEL, item: null, name: 'Wash', kind: 'service', every_days: 30, done: ago(28, 60) },
    {
      bikeId: COMMUTER,
      item: 'KMC X9 chain',
      name: 'Lube chain',
      kind: 'service',
      every_days: 30,
      done: ago(33, 61),
      snoozed_until: ago(-5)[0]!,
    },
    { bikeId: COMMUTER, item: null, name: 'Check bolts', kind: 'check', every_days: 90, done: ago(40) },
  ]
}
