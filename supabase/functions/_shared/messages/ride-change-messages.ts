import type { Facts, PartChange, RideChange } from '../contracts/ride-changes.ts'
import { dayOf } from '../formats/days.ts'
import {
  formatClock,
  formatCount,
  formatDuration,
  type Formats,
  listCounts,
  MISSING,
} from '../formats/formats.ts'
import { measureFormat, MEASURES } from '../measures.ts'

export type Context = { formats: Formats; bikeName: (gearId: number | null) => string }

export type Difference = { label: string; before: string; after: string }

type Field = { key: keyof Facts; label: string; format: (facts: Facts, context: Context) => string }

const FIELDS: Field[] = [
  { key: 'name', label: 'Name', format: ({ name }) => name ?? MISSING },
  { key: 'gear_id', label: 'Bike', format: ({ gear_id }, { bikeName }) => bikeName(gear_id) },
  {
    key: 'started_at',
    label: 'Start',
    format: ({ started_at }, { formats }) => formatStart(started_at, formats),
  },
  { key: 'time_zone', label: 'Time zone', format: ({ time_zone }) => time_zone },
  ...MEASURES.map((measure): Field => {
    const { key, label } = measure
    return { key, label, format: (facts, { formats }) => measureFormat(measure, formats)(facts[key]) }
  }),
  { key: 'is_stationary', label: 'Indoors', format: ({ is_stationary }) => (is_stationary ? 'Yes' : 'No') },
]

export function differencesOf(before: Facts, after: Facts, context: Context): Difference[] {
  return FIELDS.filter(({ key }) => before[key] !== after[key]).map(({ label, format }) => {
    const [was, is] = [format(before, context), format(after, context)]
    return { label, before: was, after: was === is ? `${is} (rounded)` : is }
  })
}

function formatStart(startedAt: string | null, formats: Formats): string {
  return startedAt === null ? MISSING : `${formats.day(dayOf(startedAt))} ${formatClock(startedAt)}`
}

export function summaryOf(facts: Facts, { formats, bikeName }: Context): string {
  const time = formatDuration(facts.moving_time ?? facts.duration)
  return [bikeName(facts.gear_id), formats.distance.format(facts.distance), time].join(' · ')
}

export function dayOfRide({ started_at }: Facts, { formats }: Context): string | null {
  return started_at && formats.day(dayOf(started_at))
}

/** Formats a part's change as `−31.2 mi`, or as a time if its distance didn't change. */
export function deltaOf({ distance, moving_time }: PartChange, { formats }: Context): string {
  const byTime = distance === 0
  const sign = (byTime ? moving_time : distance) < 0 ? '−' : '+'
  return `${sign}${byTime ? formatDuration(Math.abs(moving_time)) : formats.distance.format(Math.abs(distance))}`
}

/** Explains a part's change, to follow the name of the ride that caused most of it: `moved to Warbird`. */
export function reasonOf(part: PartChange, { formats, bikeName }: Context): string {
  const { before, after } = part.ride
  const more =
    part.rides > 1 ? `, and ${formatCount(part.rides - 1)} more ${part.rides === 2 ? 'ride' : 'rides'}` : ''
  return `${verb()}${more}`

  function verb(): string {
    if (before === null) return 'was added'
    if (after === null) return 'was removed'
    if (part.counted_before && part.counted_after) {
      return before.distance === after.distance
        ? `is now ${formatDuration(after.moving_time ?? after.duration)} long, not ${formatDuration(before.moving_time ?? before.duration)}`
        : `is now ${formats.distance.format(after.distance ?? 0)} long, not ${formats.distance.format(before.distance ?? 0)}`
    }
    if (before.gear_id === after.gear_id) return `now starts ${formatStart(after.started_at, formats)}`
    if (part.counted_after && before.gear_id !== null) return `moved from ${bikeName(before.gear_id)}`
    return after.gear_id === null ? 'no longer has a bike' : `moved to ${bikeName(after.gear_id)}`
  }
}

export function kindOf({ before, after }: RideChange): 'New' | 'Changed' | 'Removed' {
  if (before === null) return 'New'
  return after === null ? 'Removed' : 'Changed'
}

export const countsOf = ({
  changed,
  removed,
  added,
}: {
  added: number
  changed: number
  removed: number
}): string => listCounts({ changed, removed, new: added }) || 'Nothing changed'
