import type { Day } from './calendar.ts'

export interface Gear {
  id: number
  make: string
  model: string
  nickname: string | null
  name: string
  created_at: string
  archived: boolean
}

export const ROAD = 2_310_447
export const COMMUTER = 2_310_452
export const TRAIL = 2_310_460
export const GRAVEL = 2_874_193
/** A bike that was given away and deleted. Old rides still have this ID, but the gear list doesn't. */
export const GIVEN_AWAY = 1_843_117

export const GRAVEL_BOUGHT: Day = '2022-04-09'
/** The day on which the mountain bike was archived. */
export const TRAIL_RETIRED: Day = '2025-09-29'
export const GIVEN_AWAY_ON: Day = '2021-03-14'
/** The first day with power meter pedals on the road bike. */
export const POWER_METER_FITTED: Day = '2022-05-07'

const BIKES: Gear[] = [
  {
    id: ROAD,
    make: 'Trek',
    model: 'Domane SL 5',
    nickname: 'Blue Domane',
    name: 'Blue Domane',
    created_at: '2020-11-06T18:04:11-08:00',
    archived: false,
  },
  {
    id: COMMUTER,
    make: 'Surly',
    model: 'Cross-Check',
    nickname: null,
    name: 'Surly Cross-Check',
    created_at: '2020-11-06T18:09:52-08:00',
    archived: false,
  },
  {
    id: TRAIL,
    make: 'Kona',
    model: 'Honzo',
    nickname: 'Hardtail',
    name: 'Hardtail',
    created_at: '2020-11-06T18:15:30-08:00',
    archived: true,
  },
  {
    id: GRAVEL,
    make: 'Salsa',
    model: 'Warbird',
    nickname: 'Warbird',
    name: 'Warbird',
    created_at: '2022-04-09T15:21:40-07:00',
    archived: false,
  },
]

export const gearOn = (day: Day): Gear[] =>
  BIKES.filter((bike) => bike.created_at.slice(0, 10) <= day).map((bike) => asOf(day, bike))

const asOf = (day: Day, bike: Gear): Gear => ({ ...bike, archived: bike.archived && day >= TRAIL_RETIRED })
