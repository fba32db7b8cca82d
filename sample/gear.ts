import type { Day } from './calendar.ts'
import type { Gear } from './types.ts'

/** The ids of the rider's bikes. */
export const ROAD = 2_310_447
export const COMMUTER = 2_310_452
export const TRAIL = 2_310_460
export const GRAVEL = 2_874_193
/** Given away and deleted: old rides still name it, the gear list does not. */
export const GIVEN_AWAY = 1_843_117

export const GRAVEL_BOUGHT: Day = '2022-04-09'
/** From this day on the mountain bike is archived. */
export const TRAIL_RETIRED: Day = '2025-09-29'
export const GIVEN_AWAY_ON: Day = '2021-03-14'
/** The road bike's pedals measure power from here on. */
export const POWER_METER_FITTED: Day = '2022-05-07'

const COMMON = {
  group_membership_id: 3_120_884,
  gear_type_id: null,
  exclude_from_totals: false,
  visibility: 0,
  use_user_timezone: false,
  project_529_id: null,
  default_activity_type_id: null,
} as const

const BIKES: Gear[] = [
  {
    ...COMMON,
    id: ROAD,
    make: 'Trek',
    model: 'Domane SL 5',
    year: 2020,
    description: 'Summer miles, and the trainer in winter',
    gear_model_id: 31_807,
    created_at: '2020-11-06T18:04:11-08:00',
    nickname: 'Blue Domane',
    serial_number: '',
    weight: 9.2079,
    archived: false,
    name: 'Blue Domane',
  },
  {
    ...COMMON,
    id: COMMUTER,
    make: 'Surly',
    model: 'Cross-Check',
    year: 2014,
    description: '',
    gear_model_id: 305,
    created_at: '2020-11-06T18:09:52-08:00',
    nickname: null,
    serial_number: null,
    weight: null,
    archived: false,
    name: 'Surly Cross-Check',
  },
  {
    ...COMMON,
    id: TRAIL,
    make: 'Kona',
    model: 'Honzo',
    year: 2018,
    description: 'Retired to the rafters',
    gear_model_id: 24_561,
    created_at: '2020-11-06T18:15:30-08:00',
    nickname: 'Hardtail',
    serial_number: '',
    weight: 13.6078,
    archived: true,
    name: 'Hardtail',
  },
  {
    ...COMMON,
    id: GRAVEL,
    make: 'Salsa',
    model: 'Warbird',
    year: 2022,
    description: 'Gravel and rain',
    gear_model_id: 40_118,
    created_at: '2022-04-09T15:21:40-07:00',
    nickname: 'Warbird',
    serial_number: null,
    weight: 9.6162,
    archived: false,
    name: 'Warbird',
  },
]

/** The gear list as it stood on a day. */
export const gearOn = (day: Day): Gear[] =>
  BIKES.filter((bike) => bike.created_at.slice(0, 10) <= day).map((bike) => asOf(day, bike))

const asOf = (day: Day, bike: Gear): Gear => ({ ...bike, archived: bike.archived && day >= TRAIL_RETIRED })
