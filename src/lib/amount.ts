/** Adds up amounts in cents, so rounding errors don't accumulate. */
export function addAmounts(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
