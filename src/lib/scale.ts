// Half of each number must also be short, because it is the middle axis label.
const ROUND = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]

/** Returns the smallest round number that is at least `value`, for the top of an axis. Returns 1 for 0. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = ROUND.find((step) => value <= step * power) ?? 10
  return step * power
}
