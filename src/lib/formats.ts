/** Shown where a value is missing; never 0. */
export const MISSING = '–'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export type Value = number | null | undefined

/** Seconds as `HH:MM:SS`; the hours go on past 99. */
export function formatDuration(seconds: Value): string {
  return orMissing(seconds, (s) => {
    const total = Math.round(s)
    const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
    return parts.map((part) => String(part).padStart(2, '0')).join(':')
  })
}

/** A bare number without decimals: heart rate, watts, cadence. */
export function formatCount(value: Value): string {
  return orMissing(value, (n) => whole.format(Math.round(n)))
}

/** Dollars: `$45.00`. */
export function formatCurrency(dollars: Value): string {
  return orMissing(dollars, (amount) => usd.format(amount))
}

/** A value as `format` writes it, or the mark of a missing one. */
export function orMissing(value: Value, format: (value: number) => string): string {
  return value === null || value === undefined || !Number.isFinite(value) ? MISSING : format(value)
}
