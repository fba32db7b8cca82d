import type { PartKind } from '../../../supabase/functions/_shared/kinds.ts'
import { METERS_PER_MILE } from '../../../supabase/functions/_shared/formats/units.ts'
import type { Item } from '../entries/fields.ts'
import type { TaskValues } from './api.ts'

const miles = (count: number) => ({ every_distance: count * METERS_PER_MILE })
const hours = (count: number) => ({ every_moving_time: count * 3600 })
const days = (count: number) => ({ every_days: count })

export type CommonTask = Pick<TaskValues, 'name' | 'kind'> & Partial<TaskValues>

/** By type of part. */
export const COMMON_TASKS: Readonly<Record<string, readonly CommonTask[]>> = {
  Drivetrain: [
    // Zero Friction Cycling and Lennard Zinn's FAQ on waxed chains: wipe about every 100 miles, drip wax 200, dip 300 on
    // the road.
    { name: 'Wipe chain', kind: 'service', ...miles(100) },
    { name: 'Lube chain', kind: 'service', ...miles(200) },
    { name: 'Wax chain', kind: 'service', ...miles(300) },
    // Park Tool advises frequent checks; chains last about 2,000 to 3,000 miles on the road.
    { name: 'Check chain wear', kind: 'check', ...miles(500) },
    { name: 'Replace chain', kind: 'replace', ...miles(2500) },
  ],
  Brakes: [
    { name: 'Check brake pads', kind: 'check', ...miles(500) },
    // SRAM: bleed hydraulic brakes at least once a year.
    { name: 'Bleed brakes', kind: 'service', ...days(365) },
  ],
  Tires: [
    // Stan's NoTubes: sealant lasts two to seven months; three in a dry climate.
    { name: 'Top up sealant', kind: 'service', ...days(90) },
    { name: 'Check tread', kind: 'check', ...miles(500) },
    { name: 'Replace tire', kind: 'replace', ...miles(2500) },
  ],
  Wheels: [
    { name: 'Check spokes', kind: 'check', ...miles(1000) },
    // DT Swiss: service hubs at least once a year.
    { name: 'Hub service', kind: 'service', ...days(365) },
  ],
  Frame: [
    // RockShox and Fox: lower legs every 50 hours, damper every 200 hours or a year.
    { name: 'Lowers service', kind: 'service', ...hours(50) },
    { name: 'Damper service', kind: 'service', ...hours(200), ...days(365) },
    { name: 'Check bolts', kind: 'check', ...days(90) },
  ],
  Pedals: [{ name: 'Check cleats', kind: 'check', ...days(180) }],
  Handlebar: [{ name: 'Replace bar tape', kind: 'service', ...days(365) }],
  Saddle: [{ name: 'Check bolts', kind: 'check', ...days(180) }],
  // Tasks for the bike itself.
  '': [
    { name: 'Wash bike', kind: 'service', ...days(30) },
    { name: 'Check bolts', kind: 'check', ...days(90) },
    { name: 'Tune-up', kind: 'service', ...miles(3000), ...days(365) },
  ],
}

/** The kinds whose common tasks are those of a type. */
const KINDS_OF: Readonly<Record<string, readonly PartKind[]>> = {
  Drivetrain: ['chain'],
  Brakes: ['brake', 'brake pads'],
  Tires: ['tire', 'tube'],
  Wheels: ['wheel'],
  Frame: ['frame', 'fork', 'shock'],
  Pedals: ['pedals', 'cleats'],
  Handlebar: ['bar tape'],
  Saddle: ['saddle'],
}

/** Returns the common tasks of a part, by its kind if that is known, or those of a bike itself. */
export function commonTasksOf(part: Pick<Item, 'type' | 'kind'> | null): readonly CommonTask[] {
  if (part === null) return COMMON_TASKS['']!
  const { kind = null, type } = part
  const known = kind === null ? type : Object.keys(KINDS_OF).find((of) => KINDS_OF[of]!.includes(kind))
  return (known && COMMON_TASKS[known]) || []
}
