import { GRAVEL, GRAVEL_BOUGHT } from '../gear.ts'
import { type LogRow, succession } from './succession.ts'

export const GRAVEL_LOG: LogRow[] = [
  ...succession(GRAVEL, 'Drivetrain', [
    [GRAVEL_BOUGHT, 'Shimano GRX chain', 0, 'Came with the bike'],
    ['2023-11-04', 'Shimano CN-HG601 chain', 33],
    ['2025-10-18', 'Shimano CN-HG601 chain', 36, 'A winter of mud'],
  ]),
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
