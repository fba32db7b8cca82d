import type { Settings } from './settings.ts'

export type Day = `${string}-${string}-${string}`

/** Returns the day of a `timestamp` from PostgreSQL or PostgREST. */
export const dayOf = (timestamp: string): Day => timestamp.slice(0, 10) as Day

/** Returns whether text is a calendar day as `YYYY-MM-DD`. */
export const isDay = (text: string): text is Day =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  existing(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))) !== null

/** The years that the log accepts. */
export const [FIRST_YEAR, LAST_YEAR] = [1900, 2100]

/** Returns whether text is a day that the log accepts. */
export const isLogDay = (text: string): text is Day =>
  isDay(text) && Number(text.slice(0, 4)) >= FIRST_YEAR && Number(text.slice(0, 4)) <= LAST_YEAR

/** The message for other days. */
export const WRONG_YEAR = `Enter a year from ${FIRST_YEAR} to ${LAST_YEAR}.`

const WORDS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

// By named groups, so each form only says where the year, month (or its name) and day are.
const NAMED = [
  /^(?<name>[a-z]{3,})\.? (?<day>\d{1,2})(?:,? (?<year>\d{4}))?$/,
  /^(?<day>\d{1,2})\.? (?<name>[a-z]{3,})\.?,?(?: (?<year>\d{4}))?$/,
]
const ISO = /^(?<year>\d{4})(?<separator>[/. -])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})$/
// Numeric keyboards have no separators, so they are optional. Fewer than eight digits would be ambiguous.
const MONTH_FIRST = [
  /^(?<month>\d{1,2})(?<separator>[/. -])(?<day>\d{1,2})(?:\k<separator>(?<year>\d\d|\d{4}))?$/,
  /^(?<month>\d\d)(?<day>\d\d)(?<year>\d{4})$/,
]
const DAY_FIRST = [
  /^(?<day>\d{1,2})(?<separator>[/. -])(?<month>\d{1,2})(?:\k<separator>(?<year>\d\d|\d{4}))?$/,
  /^(?<day>\d\d)(?<month>\d\d)(?<year>\d{4})$/,
]
const YEAR_FIRST = [
  /^(?:(?<year>\d\d)(?<separator>[/. -]))?(?<month>\d{1,2})[/. -](?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
]
const FORMS: Record<Settings['dates'], readonly RegExp[]> = {
  'MM/DD/YYYY': [ISO, ...MONTH_FIRST, ...NAMED],
  'DD/MM/YYYY': [ISO, ...DAY_FIRST, ...NAMED],
  'DD.MM.YYYY': [ISO, ...DAY_FIRST, ...NAMED],
  'YYYY-MM-DD': [ISO, ...YEAR_FIRST, ...NAMED],
}

/**
 * Parses a day in the owner's order, with slashes, dots, dashes, spaces or no separators, or as screens show it (`Nov 18`,
 * `yesterday`). After a four-digit year, month and day follow in any order. Two digits mean the year from 79 years ago to
 * 20 years from now. Without a year, the day is the latest one up to `now`. Returns null if there is no such day in this
 * order, even if there is one in another.
 */
export function parseDay(text: string, order: Settings['dates'], now = localDay(new Date())): Day | null {
  const typed = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d) ?([/.-]) ?(?=\d)/g, '$1')
    // A dot also ends a day without a year: "22.11."
    .replace(/^(\d+\.\d+)\.$/, '$1')
  const days = WORDS.get(typed)
  if (days !== undefined) return addDays(now, days)
  for (const form of FORMS[order]) {
    const { year, month, name, day } = form.exec(typed)?.groups ?? {}
    if (day)
      return dayFrom(
        year,
        name ? 1 + MONTHS.findIndex((each) => each.startsWith(name)) : Number(month),
        Number(day),
        now,
      )
  }
  return null
}

/** Returns whether a typed day is final. Otherwise, it may become another day: `11/2`, `11/22`, `11/22/20`, `11/22/2026`. */
export const isFinal = (text: string): boolean => /\d{4}$|^\d{4}\D\d\d\D\d\d$/.test(text.trim())

/** A day without a year may be a February 29, which is up to eight years ago. */
const LEAP_YEARS = 8

function dayFrom(year: string | undefined, month: number, day: number, now: Day): Day | null {
  const thisYear = Number(now.slice(0, 4))
  if (year?.length === 4) return existing(Number(year), month, day)
  if (year !== undefined) {
    const latest = thisYear + 20
    return existing(latest - ((latest - Number(year)) % 100), month, day)
  }
  const years = Array.from({ length: LEAP_YEARS + 1 }, (_, back) => thisYear - back)
  return years.map((each) => existing(each, month, day)).find((each) => each !== null && each <= now) ?? null
}

function existing(year: number, month: number, day: number): Day | null {
  return month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ? null : toDay(year, month, day)
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

function toDay(year: number, month: number, day: number): Day {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10) as Day
}

/** Returns the day of an instant in the local time zone. */
export function localDay(instant: Date): Day {
  return toDay(instant.getFullYear(), instant.getMonth() + 1, instant.getDate())
}
