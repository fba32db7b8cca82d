import type { TablesInsert } from '../supabase/database.types.ts'
import { type Day, utcDay } from './calendar.ts'
import { COMMUTER, GRAVEL, GRAVEL_BOUGHT, POWER_METER_FITTED, ROAD, TRAIL, TRAIL_RETIRED } from './gear.ts'

/** `part_id` is a placeholder that rows of the same part share. */
type LogRow = TablesInsert<'maintenance'> & { dateStarted: string; dateEnded: string | null }

type PartType = 'Frame' | 'Wheels' | 'Pedals' | 'Tires' | 'Drivetrain' | 'Brakes' | 'Handlebar' | 'Saddle'

type Reason = 'worn' | 'damaged' | 'stored' | 'moved' | 'sold'

type Part = [from: Day, name: string, cost: number, description?: string | null, endedAs?: Reason]

type Period = [bikeId: number, from: Day, until: Day | null, endedAs: Reason | null]

/** Returns the rider's log as of `now`. Parts that are replaced later are still in use. */
export function sampleLog(now: Date): LogRow[] {
  const today = oneOClock(utcDay(now))
  return LOG.filter((row) => row.dateStarted <= today).map((row) => asOf(today, row))
}

const asOf = (today: string, row: LogRow): LogRow =>
  row.dateEnded !== null && row.dateEnded > today ? { ...row, dateEnded: null, ended_as: null } : row

/** Lists successive parts in the same place. Each part is used until the next one is installed, the last one until `until`. */
function succession(bikeId: number, type: PartType | null, parts: Part[], until?: Day): LogRow[] {
  return parts.map(([from, name, cost, description = null, endedAs = 'worn'], index) => {
    const successor = parts[index + 1]?.[0]
    const end = successor ?? until
    return {
      bikeId,
      type,
      name,
      description,
      cost,
      dateStarted: oneOClock(from),
      dateEnded: end === undefined ? null : oneOClock(end),
      ended_as: successor === undefined ? null : endedAs,
    }
  })
}

/** Lists one part's periods in several places. The first row has the part's cost. */
function moving(
  part_id: number,
  type: PartType,
  [name, cost]: [string, number],
  periods: Period[],
): LogRow[] {
  return periods.map(([bikeId, from, until, ended_as], index) => ({
    bikeId,
    part_id,
    type,
    name,
    description: null,
    cost: index === 0 ? cost : 0,
    dateStarted: oneOClock(from),
    dateEnded: until && oneOClock(until),
    ended_as,
  }))
}

/** The tracker stores dates as 1 a.m. */
const oneOClock = (day: Day): string => `${day} 01:00:00`

const FIRST_DAY = '2020-11-07'

const LOG: LogRow[] = [
  ...succession(ROAD, 'Frame', [
    [FIRST_DAY, 'Trek Domane SL 5, 56 cm', 2999, 'Complete bike, end of season price'],
  ]),
  ...succession(ROAD, 'Drivetrain', [
    [FIRST_DAY, 'Chain, 11-speed', 0, 'Came with the bike'],
    ['2021-09-04', 'Shimano CN-HG701 chain', 38, 'Old one at 0.75 %'],
    ['2022-08-20', 'Shimano CN-HG701 chain', 41],
    ['2023-08-05', 'Shimano CN-HG701 chain', 44, 'Waxed from now on'],
    ['2025-03-22', 'Shimano CN-HG701 chain', 46],
    ['2026-05-16', 'KMC X11SL chain', 62, 'Shimano was out of stock'],
  ]),
  ...succession(ROAD, 'Drivetrain', [
    [FIRST_DAY, 'Cassette 11-30', 0, 'Came with the bike'],
    ['2023-08-05', 'Shimano 105 R7000 cassette 11-32', 79, 'Chain skipped on the 15 and 17'],
  ]),
  ...succession(ROAD, 'Tires', [
    ['2021-05-15', 'Continental GP 5000 28, front', 68],
    ['2023-04-29', 'Continental GP 5000 S TR 30, front', 84, 'Tubeless now'],
    ['2026-04-11', 'Continental GP 5000 S TR 30, front', 92],
  ]),
  ...succession(ROAD, 'Tires', [
    ['2021-05-15', 'Continental GP 5000 28, rear', 68],
    ['2022-06-04', 'Continental GP 5000 28, rear', 72, 'Worn square by the trainer'],
    ['2023-04-29', 'Continental GP 5000 S TR 30, rear', 84, null, 'damaged'],
    ['2024-08-10', 'Continental GP 5000 S TR 30, rear', 89, 'Cut by glass on Marine Drive'],
    ['2026-04-11', 'Continental GP 5000 S TR 30, rear', 92],
  ]),
  ...succession(ROAD, 'Brakes', [
    ['2022-10-15', 'Shimano L05A resin pads, both', 48],
    ['2025-06-14', 'Shimano L05A resin pads, both', 56, 'Changed before the birthday ride'],
  ]),
  ...succession(ROAD, 'Handlebar', [
    ['2021-05-15', 'Lizard Skins DSP 2.5 bar tape', 43],
    ['2024-03-09', 'Lizard Skins DSP 3.2 bar tape', 46, 'Thicker, for the hands'],
  ]),
  ...succession(ROAD, 'Saddle', [
    [FIRST_DAY, 'Bontrager P3 saddle', 0, 'Came with the bike', 'sold'],
    ['2021-07-31', 'Fizik Antares R3', 149],
  ]),
  ...succession(ROAD, 'Pedals', [
    [FIRST_DAY, 'Shimano 105 SPD-SL', 115, null, 'sold'],
    [POWER_METER_FITTED, 'Favero Assioma DUO', 749, 'Power on both sides'],
  ]),
  // Each fall, the light wheels move to the gravel bike for a race, and the old ones go back on the road bike.
  ...moving(
    1,
    'Wheels',
    ['Bontrager Affinity Disc', 0],
    [
      [ROAD, FIRST_DAY, '2023-04-29', 'stored'],
      [ROAD, '2024-09-07', '2024-10-05', 'stored'],
      [ROAD, '2025-08-30', '2025-09-20', 'stored'],
    ],
  ),
  ...moving(
    2,
    'Wheels',
    ['Hunt 44 Aerodynamicist Disc', 899],
    [
      [ROAD, '2023-04-29', '2024-09-07', 'moved'],
      [GRAVEL, '2024-09-07', '2024-10-05', 'moved'],
      [ROAD, '2024-10-05', '2025-08-30', 'moved'],
      [GRAVEL, '2025-08-30', '2025-09-20', 'moved'],
      [ROAD, '2025-09-20', null, null],
    ],
  ),
  ...succession(
    ROAD,
    null,
    [['2024-03-09', 'Bike fit', 225, 'Stem 10 mm shorter, saddle 4 mm up']],
    '2024-03-09',
  ),
  ...succession(COMMUTER, 'Drivetrain', [
    ['2021-01-16', 'SRAM PC-951 chain, 9-speed', 24, 'Rusted solid over the holidays'],
    ['2023-10-07', 'KMC X9 chain', 27],
  ]),
  ...succession(COMMUTER, 'Tires', [
    [FIRST_DAY, 'Schwalbe Marathon 35, pair', 90],
    ['2024-02-17', 'Schwalbe Marathon Plus 35, pair', 118, 'Third puncture in a week'],
  ]),
  ...succession(COMMUTER, 'Brakes', [
    [FIRST_DAY, 'Kool-Stop Salmon pads, both', 32],
    ['2022-11-12', 'Kool-Stop Salmon pads, both', 34, 'Rain eats them'],
    ['2025-01-25', 'Kool-Stop Salmon pads, both', 36],
  ]),
  // The leather saddle is stored in the rainy season.
  ...moving(
    3,
    'Saddle',
    ['Brooks B17', 135],
    [
      [COMMUTER, FIRST_DAY, '2024-11-16', 'stored'],
      [COMMUTER, '2025-03-08', '2025-11-15', 'stored'],
      [COMMUTER, '2026-03-14', null, null],
    ],
  ),
  ...moving(
    4,
    'Saddle',
    ['Brooks C17 winter saddle', 110],
    [
      [COMMUTER, '2024-11-16', '2025-03-08', 'stored'],
      [COMMUTER, '2025-11-15', '2026-03-14', 'stored'],
    ],
  ),
  ...succession(COMMUTER, 'Wheels', [
    [
      '2023-10-07',
      'Rear wheel rebuilt',
      165,
      'New rim and spokes on the old hub; the brake track was concave',
    ],
  ]),
  ...succession(COMMUTER, null, [['2021-10-30', 'Fenders and mudflaps', 74]]),
  ...succession(
    TRAIL,
    'Drivetrain',
    [
      ['2021-06-05', 'SRAM GX Eagle chain', 34, null, 'damaged'],
      ['2023-05-20', 'SRAM GX Eagle chain', 38, 'Snapped on the climb up Firelane 5'],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    'Tires',
    [
      [FIRST_DAY, 'Maxxis Minion DHF 2.5, front', 72],
      ['2023-07-01', 'Maxxis Assegai 2.5, front', 79],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    'Tires',
    [
      [FIRST_DAY, 'Maxxis Aggressor 2.3, rear', 68],
      ['2022-04-30', 'Maxxis Dissector 2.4, rear', 74, 'Knobs torn off'],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    'Brakes',
    [
      ['2021-08-07', 'SRAM Guide sintered pads, both', 52, 'Before Montana'],
      ['2024-06-15', 'SRAM Guide sintered pads, both', 58],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    null,
    [['2022-04-30', 'Fork service', 140, 'Lowers and air spring; oil was black']],
    TRAIL_RETIRED,
  ),
  ...succession(
    GRAVEL,
    'Drivetrain',
    [
      [GRAVEL_BOUGHT, 'Shimano GRX chain', 0, 'Came with the bike'],
      ['2023-11-04', 'Shimano CN-HG601 chain', 33],
    ],
    '2025-10-18',
  ),
  // Two waxed chains alternate.
  ...moving(
    5,
    'Drivetrain',
    ['Waxed chain A, CN-HG601', 36],
    [
      [GRAVEL, '2025-10-18', '2026-02-14', 'stored'],
      [GRAVEL, '2026-06-13', '2026-09-26', 'stored'],
    ],
  ),
  ...moving(
    6,
    'Drivetrain',
    ['Waxed chain B, CN-HG601', 36],
    [
      [GRAVEL, '2026-02-14', '2026-06-13', 'stored'],
      [GRAVEL, '2026-09-26', null, null],
    ],
  ),
  ...succession(GRAVEL, 'Drivetrain', [
    [GRAVEL_BOUGHT, 'Cassette 11-34', 0],
    ['2025-10-18', 'Shimano HG710 cassette 11-36', 72],
  ]),
  ...succession(GRAVEL, 'Tires', [
    [GRAVEL_BOUGHT, 'Teravail Cannonball 42, pair', 0, 'Came with the bike'],
    ['2023-06-10', 'Panaracer GravelKing SK 43, pair', 104],
    ['2026-06-13', 'René Herse Hurricane Ridge 42, pair', 176, 'For Tuscany'],
  ]),
  ...succession(GRAVEL, 'Brakes', [
    ['2024-01-13', 'Shimano J05A metal pads, both', 62, 'Backing plates were showing'],
  ]),
  ...succession(GRAVEL, 'Handlebar', [
    ['2022-06-18', 'Cork bar tape', 22],
    ['2024-11-09', "Bar tape, Salsa's thick gel", 34],
  ]),
]
