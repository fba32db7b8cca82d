/** A calendar day, `YYYY-MM-DD`. */
export type Day = string

/** Yields every day from `first` to `last`, inclusive. */
export function* daysFrom(first: Day, last: Day): Generator<Day> {
  for (let day = first; day <= last; day = nextDay(day)) yield day
}

const nextDay = (day: Day) => utcDay(new Date(utc(day).getTime() + DAY))

export const utcDay = (instant: Date): Day => instant.toISOString().slice(0, 10)

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => utc(day).getUTCDay()

/** 1 is January. */
export const monthOf = (day: Day): number => utc(day).getUTCMonth() + 1

/** Returns the week of the year, in 7-day weeks from January 1. The first week is 1. */
export function weekOf(day: Day): number {
  const newYear = utc(`${day.slice(0, 4)}-01-01`)
  return Math.floor((utc(day).getTime() - newYear.getTime()) / (7 * DAY)) + 1
}

const DAY = 86_400_000
const utc = (day: Day) => new Date(`${day}T00:00:00Z`)

/** Returns the instant at which clocks in an IANA time zone show `seconds` after midnight on `day`. */
export function instantOf(day: Day, seconds: number, zone: string): Date {
  const wall = utc(day).getTime() + seconds * 1000
  // The offset is only wrong around a clock change, when the sample rider never rides.
  return new Date(wall - offsetAt(new Date(wall), zone))
}

/** Formats an instant the way the trip list does: `2026-02-20T18:16:04Z`. */
export const stamp = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`

const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetAt(instant: Date, zone: string): number {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    clocks.set(zone, clock)
  }
  const name = clock.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name ?? '') ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -size : size
}
