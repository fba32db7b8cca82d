// Commas or spaces may separate groups of three digits, but not in "0,500", which would be a decimal comma.
const AMOUNT = /^[+-]?(\d*|[1-9]\d{0,2}((,\d{3})+|(\s\d{3})+))(\.\d{0,2})?$/

/** Parses an amount in dollars such as `45`, `-$5` or `1,234.50`. Returns null for anything else, including ambiguous text. */
export function parseAmount(text: string): number | null {
  const entry = text.trim().replace(/^([+-]?)\s*\$\s*/, '$1')
  if (!/\d/.test(entry) || !AMOUNT.test(entry)) return null
  // "+ 0" turns -0 into 0.
  return Number(entry.replaceAll(/[,\s]/g, '')) + 0
}

/** Adds up amounts in cents, so rounding errors don't accumulate. */
export function addAmounts(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
