/** Shown for a missing value, as opposed to 0. */
export const MISSING = '–'

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

export type Value = number | null | undefined

/** Formats seconds as `HH:MM:SS`. Hours may exceed 99. */
export function formatDuration(seconds: Value): string {
  return orMissing(seconds, (s) => {
    const total = Math.round(s)
    const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
    return parts.map((part) => String(part).padStart(2, '0')).join(':')
  })
}

/** Formats seconds as hours without minutes: `84 h`. */
export const formatHours = (seconds: Value): string =>
  orMissing(seconds, (s) => `${integer.format(Math.round(s / 3600))}\u00A0h`)

/** Formats a number without decimals or a unit, such as a heart rate. */
export function formatCount(value: Value): string {
  return orMissing(value, (n) => integer.format(Math.round(n)))
}

/** Formats dollars: `$45.00`. */
export function formatCurrency(dollars: Value): string {
  return orMissing(dollars, (amount) => usd.format(amount))
}

/** Formats dollars without cents, for sums: `$458`. */
export function formatDollars(amount: Value): string {
  return orMissing(amount, (value) => dollars.format(value))
}

/** Formats a cost per distance: `36¢`, `4.2¢`, `$1.20`. */
export function formatRate(amount: Value): string {
  return orMissing(amount, (value) => {
    const cents = value * 100
    if (Math.abs(cents) >= 99.5) return usd.format(value)
    return `${cents.toFixed(Math.abs(cents) < 9.95 ? 1 : 0)}¢`
  })
}

export function orMissing(value: Value, format: (value: number) => string): string {
  return value === null || value === undefined || !Number.isFinite(value) ? MISSING : format(value)
}

/** Longer names would push the rest of a message off a phone's screen. */
const MAX_LENGTH = 80

export function shorten(name: string): string {
  const characters = Array.from(name)
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : name
}

export const quote = (name: string): string => `“${shorten(name)}”`
