// Groups of three digits, all separated by commas or all by spaces. "0,500" is a fraction with a decimal comma.
const AMOUNT = /^[+-]?(\d*|[1-9]\d{0,2}((,\d{3})+|(\s\d{3})+))(\.\d{0,2})?$/

/** Reads an amount of dollars such as `45`, `-$5` or `1,234.50`; null if it's anything else, or could mean two amounts. */
export function amountIn(text: string): number | null {
  const entry = text.trim().replace(/^([+-]?)\s*\$\s*/, '$1')
  if (!/\d/.test(entry) || !AMOUNT.test(entry)) return null
  // "+ 0" turns -0 into 0.
  return Number(entry.replaceAll(/[,\s]/g, '')) + 0
}
