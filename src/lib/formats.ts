/** Shown where a value is missing; never 0. */
export const MISSING = '–'

const NO_BREAK_SPACE = '\u00A0'
/** The product's own mile: whole metres. */
const METRES_PER_MILE = 1609
const KILOMETRES_PER_MILE = 1.609
const FEET_PER_METRE = 3.28084

const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

type Value = number | null | undefined

/** Metres in miles, rounded half up to the tenth as they are shown. */
export function toMiles(metres: number): number {
  return tenth(metres / METRES_PER_MILE)
}

/** Kilometres an hour in miles an hour, rounded half up to the tenth as they are shown. */
export function toMilesPerHour(kilometresPerHour: number): number {
  return tenth(kilometresPerHour / KILOMETRES_PER_MILE)
}

/** Metres in whole feet, rounded half up as they are shown. */
export function toFeet(metres: number): number {
  return halfUp(metres * FEET_PER_METRE)
}

/** Metres as miles: `1,234.5 mi`, rounded half up. */
export function formatDistance(metres: Value): string {
  return shown(metres, (m) => `${oneDecimal.format(toMiles(m))}${NO_BREAK_SPACE}mi`)
}

/** Kilometres an hour as miles an hour: `12.3 mph`. */
export function formatSpeed(kilometresPerHour: Value): string {
  return shown(
    kilometresPerHour,
    (speed) => `${oneDecimal.format(toMilesPerHour(speed))}${NO_BREAK_SPACE}mph`,
  )
}

/** Metres as feet: `1,788 ft`. */
export function formatElevation(metres: Value): string {
  return shown(metres, (m) => `${whole.format(toFeet(m))}${NO_BREAK_SPACE}ft`)
}

/** Seconds as `HH:MM:SS`; the hours go on past 99. */
export function formatDuration(seconds: Value): string {
  return shown(seconds, (s) => {
    const total = Math.round(s)
    const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
    return parts.map((part) => String(part).padStart(2, '0')).join(':')
  })
}

/** A bare number without decimals: heart rate, watts, cadence. */
export function formatCount(value: Value): string {
  return shown(value, (n) => whole.format(Math.round(n)))
}

/** Dollars: `$45.00`. */
export function formatCurrency(dollars: Value): string {
  return shown(dollars, (amount) => usd.format(amount))
}

function shown(value: Value, format: (value: number) => string): string {
  return value === null || value === undefined || !Number.isFinite(value) ? MISSING : format(value)
}

function tenth(value: number): number {
  return halfUp(value * 10) / 10
}

// Twelve digits are more than any ride has: a half that division left at .49999999999999 is a half again.
function halfUp(value: number): number {
  return Math.round(Number(value.toPrecision(12)))
}
