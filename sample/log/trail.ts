import { TRAIL, TRAIL_RETIRED } from '../gear.ts'
import { type LogRow, succession } from './succession.ts'

const FIRST_KNOWN = '2020-11-07'

export const TRAIL_LOG: LogRow[] = [
  ...succession(
    TRAIL,
    'Drivetrain',
    [
      ['2021-06-05', 'SRAM GX Eagle chain', 34],
      ['2023-05-20', 'SRAM GX Eagle chain', 38, 'Snapped on the climb up Firelane 5'],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    'Tires',
    [
      [FIRST_KNOWN, 'Maxxis Minion DHF 2.5, front', 72],
      ['2023-07-01', 'Maxxis Assegai 2.5, front', 79],
    ],
    TRAIL_RETIRED,
  ),
  ...succession(
    TRAIL,
    'Tires',
    [
      [FIRST_KNOWN, 'Maxxis Aggressor 2.3, rear', 68],
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
]
