import type { Reached } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import { METERS_PER_MILE } from '../../../supabase/functions/_shared/formats/units.ts'
import { MAX_DISTANCE } from '../../../supabase/functions/_shared/limits.ts'
import { type Day, timestampOf } from '../../lib/days.ts'
import type { Parsed } from '../../lib/field-kinds.ts'
import { NEUTRAL_FORMATS } from '../../lib/formats.ts'
import { numberKind } from '../../lib/forms.ts'
import { UNITS } from '../../../supabase/functions/_shared/formats/formats.ts'
import type { NamedBike } from '../bikes/api.ts'
import type { CsvField } from '../entries/csv.ts'
import type { Cells } from './columns.ts'
import { type Column, READING_OF, type Unit, unitIn, withoutUnit } from './headers.ts'

/** Of a bike: how far its rides went in all, and the day on which they had gone as far as a reading says, in meters. */
export type Odometer = { distance: number; days: ReadonlyMap<number, Day | null> }

export type Odometers = ReadonlyMap<number, Odometer>

const kind = numberKind({ max: MAX_DISTANCE, hasZero: true })

/** Parses a reading such as `5,000 mi` into meters. */
export function parseReading(cell: string, unit: Unit | null): Parsed<number> {
  const own = unitIn(cell) ?? unit
  if (own === null) return { message: 'Enter a number with its unit, such as 5000 mi.' }
  const parsed = kind.parse(withoutUnit(cell), NEUTRAL_FORMATS)
  return 'value' in parsed ? { value: parsed.value * (own === 'mi' ? METERS_PER_MILE : 1000) } : parsed
}

/** Returns the time of the log at which a bike's rides had reached a reading. */
function timeAt(cell: string, bike: NamedBike, odometers: Odometers): Parsed<string> {
  const parsed = parseReading(cell, null)
  if ('message' in parsed) return parsed
  const { distance = 0, days } = odometers.get(bike.gear_id) ?? {}
  const day = days?.get(parsed.value)
  if (day) return { value: timestampOf(day) }
  if (distance === 0) return { message: `${bike.name} has no rides.` }
  const { format } = UNITS[unitIn(cell)!].distance
  return { message: `${bike.name}’s rides only reach ${format(distance)}.` }
}

/** Of a line without a bike, whose message comes first. */
const UNKNOWN = { message: '' }

const startOn = ({ name }: NamedBike, day: Day | undefined): Parsed<string> =>
  day ? { value: timestampOf(day) } : { message: `Enter the start for ${name} above.` }

/** A line's start and end that aren't dates: what says them, and what that means. */
export type Times = Partial<
  Record<CsvField, { column: Column; parsed: Parsed<string>; isApproximate: boolean }>
>

/** Returns the start and the end that a line doesn't say by a date. */
export function timesOf(
  cells: Cells,
  bike: NamedBike | string,
  { odometers, startDays }: { odometers: Odometers; startDays: ReadonlyMap<number, Day> },
): Times {
  const times: Times = {}
  for (const field of ['dateStarted', 'dateEnded'] as const) {
    const column = READING_OF[field]
    const [date = '', reading = ''] = [cells[field], cells[column]]
    if (date.trim() === '' && reading.trim() !== '')
      times[field] = {
        column,
        parsed: typeof bike === 'string' ? UNKNOWN : timeAt(reading, bike, odometers),
        isApproximate: true,
      }
  }
  if (lacksStart(cells)) {
    times.dateStarted = {
      column: 'dateStarted',
      parsed: typeof bike === 'string' ? UNKNOWN : startOn(bike, startDays.get(bike.gear_id)),
      isApproximate: false,
    }
  }
  return times
}

/** Returns which of them are the days of readings. */
export const approximateIn = (times: Times): CsvField[] =>
  (['dateStarted', 'dateEnded'] as const).filter((field) => times[field]?.isApproximate)

/** Returns whether a line is of a sheet without starts, and has no reading of the odometer instead. */
export const lacksStart = ({ dateStarted, installed_at = '' }: Cells): boolean =>
  dateStarted === undefined && installed_at.trim() === ''

/** Returns what to ask `days_reached` for, by bike. */
export function groupReadings(readings: readonly { gear_id: number; meters: number }[]) {
  const bikes = Map.groupBy(readings, ({ gear_id }) => gear_id)
  return Array.from(bikes, ([gear_id, list]) => ({
    gear_id,
    distances: [...new Set(list.map(({ meters }) => meters))],
  }))
}

/** Pairs the distances with the days on which they were reached. */
export function odometersOf(asked: ReturnType<typeof groupReadings>, bikes: readonly Reached[]): Odometers {
  return new Map(
    bikes.map(({ gear_id, distance, days }, index) => {
      const { distances } = asked[index]!
      return [gear_id, { distance, days: new Map(distances.map((meters, at) => [meters, days[at] ?? null])) }]
    }),
  )
}
