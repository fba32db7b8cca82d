import { COMMUTER } from '../gear.ts'
import { type LogRow, succession } from './succession.ts'

const FIRST_KNOWN = '2020-11-07'

export const COMMUTER_LOG: LogRow[] = [
  ...succession(COMMUTER, 'Drivetrain', [
    ['2021-01-16', 'SRAM PC-951 chain, 9-speed', 24, 'Rusted solid over the holidays'],
    ['2023-10-07', 'KMC X9 chain', 27],
  ]),
  ...succession(COMMUTER, 'Tires', [
    [FIRST_KNOWN, 'Schwalbe Marathon 35, pair', 90],
    ['2024-02-17', 'Schwalbe Marathon Plus 35, pair', 118, 'Third puncture in a week'],
  ]),
  ...succession(COMMUTER, 'Brakes', [
    [FIRST_KNOWN, 'Kool-Stop Salmon pads, both', 32],
    ['2022-11-12', 'Kool-Stop Salmon pads, both', 34, 'Rain eats them'],
    ['2025-01-25', 'Kool-Stop Salmon pads, both', 36],
  ]),
  ...succession(COMMUTER, 'Saddle', [[FIRST_KNOWN, 'Brooks B17', 135]]),
  ...succession(COMMUTER, 'Wheels', [
    [
      '2023-10-07',
      'Rear wheel rebuilt',
      165,
      'New rim and spokes on the old hub; the brake track was concave',
    ],
  ]),
  ...succession(COMMUTER, null, [['2021-10-30', 'Fenders and mudflaps', 74]]),
]
