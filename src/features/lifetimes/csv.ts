import { rateOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import { type CsvValue, toCsv } from '../../lib/csv.ts'
import { dayOf } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import type { Group } from './api.ts'

const round = (value: number | null, digits: number) =>
  value === null ? null : Number(value.toFixed(digits))

export function lifetimesToCsv(
  groups: readonly Group[],
  formats: Formats,
  bikeName: (gearId: number) => string,
): string {
  const { unit } = formats.distance
  const { currency } = formats.settings
  const headers = [
    'Type',
    'Name',
    'Bike',
    'Start',
    'End',
    'Ended as',
    'Finished',
    'Distance (m)',
    `Distance (${unit})`,
    'Time (s)',
    'Earlier distance (m)',
    'Earlier time (s)',
    'Days',
    'Rides',
    `Cost (${currency})`,
    `Cost per 1,000 ${unit} (${currency})`,
    `Cost per hour (${currency})`,
  ]
  const rows = groups.flatMap(({ type, lifetimes }) =>
    lifetimes.map((lifetime): CsvValue[] => [
      type,
      lifetime.name,
      bikeName(lifetime.gear_id),
      dayOf(lifetime.started),
      lifetime.ended === null ? null : dayOf(lifetime.ended),
      lifetime.running ? 'in use' : lifetime.ended_as,
      lifetime.finished ? 'yes' : 'no',
      lifetime.distance,
      formats.distance.of(lifetime.distance),
      lifetime.moving_time,
      lifetime.earlier_distance,
      lifetime.earlier_moving_time,
      lifetime.days,
      lifetime.rides,
      lifetime.cost,
      round(rateOf(lifetime, 'distance', formats), 2),
      round(lifetime.cost_per_hour, 2),
    ]),
  )
  return toCsv(headers, rows)
}
