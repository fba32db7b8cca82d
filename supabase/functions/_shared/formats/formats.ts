import { addDays, type Day, localDay, parseDay } from './days.ts'
import type { Settings } from './settings.ts'
import { METERS_PER_MILE } from './units.ts'

export type Value = number | null | undefined

/** Shown for a missing value, as opposed to 0. */
export const MISSING = '–'

const NO_BREAK_SPACE = '\u00A0'
const KILOMETERS_PER_MILE = METERS_PER_MILE / 1000
const FEET_PER_METER = 3.28084

/** Makes a formatter when it is first used. A phone takes milliseconds for each. */
function onFirstUse<Formatter>(make: () => Formatter): () => Formatter {
  let formatter: Formatter | undefined
  return () => (formatter ??= make())
}

const numbers = (options: Intl.NumberFormatOptions = {}) =>
  onFirstUse(() => new Intl.NumberFormat('en-US', options))

const dates = (options: Intl.DateTimeFormatOptions) =>
  onFirstUse(() => new Intl.DateTimeFormat('en-US', options))

const plain = numbers()
const integer = numbers({ maximumFractionDigits: 0 })
const oneDecimal = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** How the owner reads and writes everything that depends on the settings. */
export type Formats = Units & Money & Dates & { settings: Settings }

export function formatsFor(settings: Settings): Formats {
  return { settings, ...UNITS[settings.distance], ...moneyIn(settings.currency), ...datesIn(settings.dates) }
}

type Quantity = {
  unit: string
  /** Converts a stored value to this unit, for functions that round it. */
  exact: (stored: number) => number
  /** Converts a stored value to this unit, rounded half up. */
  of: (stored: number) => number
  /** The inverse of `of`, rounded to a whole number: 80,450 meters for 50 miles. */
  toStored: (shown: number) => number
  /** `1,234.5` */
  number: (stored: Value) => string
  /** `1,234.5 mi` */
  format: (stored: Value) => string
  /** `1,235 mi` */
  formatWhole: (stored: Value) => string
}

/** A unit system. Each shown value is rounded only once, from the stored value. */
export type Units = {
  /** Used in titles: `Total Miles`. */
  name: 'Miles' | 'Kilometers'
  /** Used in rates: `36¢ per mile`. */
  one: 'mile' | 'km'
  /** Stored in meters. */
  distance: Quantity
  /** Stored in kilometers per hour. */
  speed: Quantity
  /** Stored in meters. */
  elevation: Quantity
}

export const UNITS: Record<Settings['distance'], Units> = {
  mi: {
    name: 'Miles',
    one: 'mile',
    distance: quantity('mi', 1, (meters) => meters / METERS_PER_MILE),
    speed: quantity('mph', 1, (kilometersPerHour) => kilometersPerHour / KILOMETERS_PER_MILE),
    elevation: quantity('ft', 0, (meters) => meters * FEET_PER_METER),
  },
  km: {
    name: 'Kilometers',
    one: 'km',
    distance: quantity('km', 1, (meters) => meters / 1000),
    speed: quantity('km/h', 1, (kilometersPerHour) => kilometersPerHour),
    elevation: quantity('m', 0, (meters) => meters),
  },
}

/** Converts a rate per kilometer to the owner's units. */
export const ratePerUnit = (perKilometer: number | null, { distance }: Formats): number | null =>
  perKilometer === null ? null : (perKilometer * distance.toStored(1)) / 1000

/** Converts between hours and stored seconds. */
export const HOURS = {
  exact: (seconds: number) => seconds / 3600,
  of: (seconds: number) => Math.round(seconds / 36) / 100,
  toStored: (hours: number) => Math.round(hours * 3600),
}

function quantity(unit: string, digits: 0 | 1, convert: (stored: number) => number): Quantity {
  const formatWith = (shownDigits: 0 | 1, suffix = `${NO_BREAK_SPACE}${unit}`) => {
    const number = shownDigits === 0 ? integer : oneDecimal
    return (stored: Value) =>
      orMissing(stored, (value) => `${number().format(halfUp(convert(value), shownDigits))}${suffix}`)
  }
  return {
    unit,
    exact: convert,
    of: (stored) => halfUp(convert(stored), digits),
    toStored: (shown) => Math.round(shown / convert(1)),
    number: formatWith(digits, ''),
    format: formatWith(digits),
    formatWhole: formatWith(0),
  }
}

/** Rounds half up. Rounding to twelve digits first turns a quotient of .49999999999999 back into a half. */
export function halfUp(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(Number((value * scale).toPrecision(12))) / scale
}

type Money = {
  /** `$45.00` */
  money: (amount: Value) => string
  /** For sums, without decimals: `$458`. */
  wholeMoney: (amount: Value) => string
  /** A label of a chart axis, with decimals only if it needs them: `$1,000`, `$0.5`. */
  axisMoney: (amount: number) => string
  /** A cost per distance: `36¢`, `4.2¢`, `$1.20`; outside the United States `€0.36`, `€0.042`. */
  rate: (amount: Value) => string
  /** Parses an amount such as `45`, `-$5`, `1,234.50` or `1.234,50`. Returns null for anything else, including ambiguous text. */
  parseAmount: (text: string) => number | null
}

function moneyIn(currency: string): Money {
  const style = { style: 'currency', currency } as const
  const full = numbers(style)
  const whole = numbers({ ...style, maximumFractionDigits: 0 })
  const axis = numbers({ ...style, minimumFractionDigits: 0, maximumFractionDigits: 3 })
  const digits = onFirstUse(() => full().resolvedOptions().maximumFractionDigits ?? 2)
  const precise = onFirstUse(() => numbers({ ...style, minimumFractionDigits: digits() + 1 })())
  const signs = onFirstUse(() => [signOf(currency), signOf(currency, 'narrowSymbol'), currency])
  return {
    money: (amount) => orMissing(amount, (value) => full().format(value)),
    wholeMoney: (amount) => orMissing(amount, (value) => whole().format(value)),
    axisMoney: (amount) => axis().format(amount),
    rate: (amount) =>
      orMissing(amount, (value) => {
        const smallest = value * 10 ** digits()
        const isSmall = Math.abs(smallest) < 9.95
        if (currency === 'USD' && Math.abs(smallest) < 99.5) return `${smallest.toFixed(isSmall ? 1 : 0)}¢`
        return (isSmall ? precise : full)().format(value)
      }),
    parseAmount: (text) => parseCents(withoutSign(text.trim(), signs())),
  }
}

/** Lists the codes of the currencies that the engine knows, former ones included. */
export const currencyCodes = onFirstUse(() => Intl.supportedValuesOf('currency'))

const currencyNames = onFirstUse(() => new Intl.DisplayNames('en-US', { type: 'currency' }))

/** Returns a currency's name: `Euro`. */
export const currencyName = (code: string): string => currencyNames().of(code) ?? code

/** The currency's sign: `$`, `€` or `CHF`. */
export function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol' = 'symbol'): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay })
  const parts = format.formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** Removes the currency before or after a number, also between its minus sign and digits. */
function withoutSign(text: string, signs: readonly string[]): string {
  for (const sign of signs) {
    const [, minus = '', rest = ''] = /^([+-]?)\s*(.*)$/s.exec(text) ?? []
    const [start, end] = [rest.slice(0, sign.length), rest.slice(-sign.length)]
    if (start.toUpperCase() === sign.toUpperCase()) return minus + rest.slice(sign.length).trimStart()
    if (end.toUpperCase() === sign.toUpperCase()) return minus + rest.slice(0, -sign.length).trimEnd()
  }
  return text
}

// Commas or spaces may separate groups of three digits, but not in "0,500", which would be a decimal comma.
const DECIMAL_POINT = /^[+-]?(\d*|[1-9]\d{0,2}((,\d{3})+|(\s\d{3})+))(\.\d*)?$/
// One or two digits after the only comma can't be a group.
const DECIMAL_COMMA = /^[+-]?(\d*|[1-9]\d{0,2}((\.\d{3})+|(\s\d{3})+)),\d{1,2}$/

// In "0.500" and "1.50", the point can't separate groups.
const TWO_READINGS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/

/** Returns both readings of a text such as `1.500`: with decimals, and with a group of three digits. Null if it has only one. */
export const readingsOf = (entry: string): [decimal: number, grouped: number] | null =>
  TWO_READINGS.test(entry) ? [Number(entry), Number(entry.replace('.', ''))] : null

/** Parses a number such as `1,234.5`, `1.234,5` or `1 234,5`. Reads `1.500` as 1.5 (see `readingsOf`). Returns null for anything else. */
export function parseNumber(entry: string): number | null {
  if (!/\d/.test(entry)) return null
  // "+ 0" turns -0 into 0.
  if (DECIMAL_POINT.test(entry)) return Number(entry.replaceAll(/[,\s]/g, '')) + 0
  if (DECIMAL_COMMA.test(entry)) return Number(entry.replaceAll(/[.\s]/g, '').replace(',', '.')) + 0
  return null
}

// Three decimals may be a group: 1.200.
const parseCents = (entry: string) => (/\.\d{3,}$/.test(entry) ? null : parseNumber(entry))

type Dates = {
  /** `11/22/2026` */
  day: (day: Day) => string
  /** `Nov 18`, or `Sep 28, 2025` if it is in another year than `now`. */
  shortDay: (day: Day, now: Day) => string
  /** `today`, `yesterday` or a short day. */
  recentDay: (day: Day, now: Day) => string
  /** `Nov 18, 2026` */
  longDay: (day: Day) => string
  /** `Nov 18, 2026, 3:04 PM` */
  dateTime: (instant: Date) => string
  /** Parses a day in the owner's order. Returns null if there is no such day. */
  parseDay: (text: string) => Day | null
}

function datesIn(order: Settings['dates']): Dates {
  const isDayFirst = order.startsWith('DD')
  const day = (day: Day) => {
    const [year = '', month = '', date = ''] = day.split('-')
    return order.replace('YYYY', year).replace('MM', month).replace('DD', date)
  }
  const withoutYear = (day: Day) => {
    const [month, date] = [monthName(day), Number(day.slice(8))]
    return isDayFirst ? `${date} ${month}` : `${month} ${date}`
  }
  const longDay = (day: Day) => `${withoutYear(day)}${isDayFirst ? '' : ','} ${day.slice(0, 4)}`
  const shortDay = (day: Day, now: Day) =>
    day.slice(0, 4) === now.slice(0, 4) ? withoutYear(day) : longDay(day)
  return {
    day,
    shortDay,
    longDay,
    recentDay(day, now) {
      if (day === now) return 'today'
      return day === addDays(now, -1) ? 'yesterday' : shortDay(day, now)
    },
    dateTime: (instant) => `${longDay(localDay(instant))}, ${formatTime(instant)}`,
    parseDay: (text) => parseDay(text, order),
  }
}

const months = dates({ month: 'short', timeZone: 'UTC' })
const time = dates({ timeStyle: 'short' })
const utcTime = dates({ timeStyle: 'short', timeZone: 'UTC' })

const fullMonths = dates({ month: 'long', timeZone: 'UTC' })
const weekdays = dates({ weekday: 'short', timeZone: 'UTC' })

/** Formats a day's month as a heading: `November`. */
export const fullMonthName = (day: Day): string => fullMonths().format(Date.parse(day))

/** Formats a day of the week: `Sun`. */
export const weekdayName = (day: Day): string => weekdays().format(Date.parse(day))

/** Formats a day's month: `Nov`. */
export const monthName = (day: Day): string => months().format(Date.parse(day))

/** Formats a month or a year, as `2026-11` or `2026`: `Nov 2026`, `2026`. */
export const periodName = (period: string): string =>
  period.length === 4 ? period : `${monthName(`${period}-01` as Day)} ${period.slice(0, 4)}`

/** Formats an instant's local time of day: `3:04 PM`. */
export const formatTime = (instant: Date): string => time().format(instant)

/** Formats the time of day of a timestamp without a time zone: `3:04 PM`. */
export const formatClock = (timestamp: string): string => utcTime().format(new Date(`${timestamp}Z`))

/** Formats a number with up to three decimals, such as `1,234.5`. */
export const formatNumber = (value: number): string => plain().format(value)

/** Formats a number without decimals or a unit, such as a heart rate. */
export const formatCount = (value: Value): string => orMissing(value, (n) => integer().format(halfUp(n, 0)))

/** Formats `1 ride` or `1,234 rides`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Formats `2 new, 1 removed`, without what is 0. */
export function listCounts(counts: Record<string, number>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([what, count]) => `${formatCount(count)} ${what}`).join(', ')
}

/** Longer names would push the rest of a message off a phone's screen. */
const MAX_LENGTH = 80

export function shorten(name: string): string {
  const characters = Array.from(name)
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : name
}

export const quote = (name: string): string => `“${shorten(name)}”`

/** Formats seconds as hours without minutes: `84 h`. */
export const formatHours = (seconds: Value): string =>
  orMissing(seconds, (s) => `${integer().format(Math.round(s / 3600))}${NO_BREAK_SPACE}h`)

/** Formats seconds as hours and minutes, where the seconds don't matter: `830:58 h`. */
export const formatRiding = (seconds: Value): string =>
  orMissing(seconds, (s) => {
    const minutes = Math.floor(s / 60)
    return `${integer().format(Math.floor(minutes / 60))}:${String(minutes % 60).padStart(2, '0')}${NO_BREAK_SPACE}h`
  })

/** Formats seconds as `HH:MM:SS`. Hours may exceed 99. */
export function formatDuration(seconds: Value): string {
  return orMissing(seconds, (s) => {
    const total = Math.round(s)
    const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
    return parts.map((part) => String(part).padStart(2, '0')).join(':')
  })
}

function orMissing(value: Value, format: (value: number) => string): string {
  return value === null || value === undefined || !Number.isFinite(value) ? MISSING : format(value)
}
