import { POWER_METER_FITTED, ROAD } from '../gear.ts'
import { type LogRow, succession } from './succession.ts'

const BOUGHT = '2020-11-07'

export const ROAD_LOG: LogRow[] = [
  ...succession(ROAD, 'Frame', [
    [BOUGHT, 'Trek Domane SL 5, 56 cm', 2999, 'Complete bike, end of season price'],
  ]),
  ...succession(ROAD, 'Drivetrain', [
    [BOUGHT, 'Chain, 11-speed', 0, 'Came with the bike'],
    ['2021-09-04', 'Shimano CN-HG701 chain', 38, 'Old one at 0.75 %'],
    ['2022-08-20', 'Shimano CN-HG701 chain', 41],
    ['2023-08-05', 'Shimano CN-HG701 chain', 44, 'Waxed from now on'],
    ['2025-03-22', 'Shimano CN-HG701 chain', 46],
    ['2026-05-16', 'KMC X11SL chain', 62, 'Shimano was out of stock'],
  ]),
  ...succession(ROAD, 'Drivetrain', [
    [BOUGHT, 'Cassette 11-30', 0, 'Came with the bike'],
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
    ['2023-04-29', 'Continental GP 5000 S TR 30, rear', 84],
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
    [BOUGHT, 'Bontrager P3 saddle', 0, 'Came with the bike'],
    ['2021-07-31', 'Fizik Antares R3', 149],
  ]),
  ...succession(ROAD, 'Pedals', [
    [BOUGHT, 'Shimano 105 SPD-SL', 115],
    [POWER_METER_FITTED, 'Favero Assioma DUO', 749, 'Power on both sides'],
  ]),
  ...succession(ROAD, 'Wheels', [
    [BOUGHT, 'Bontrager Affinity Disc', 0, 'Came with the bike'],
    ['2023-04-29', 'Hunt 44 Aerodynamicist Disc', 899],
  ]),
  ...succession(
    ROAD,
    null,
    [['2024-03-09', 'Bike fit', 225, 'Stem 10 mm shorter, saddle 4 mm up']],
    '2024-03-09',
  ),
]
