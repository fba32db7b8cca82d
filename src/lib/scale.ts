// Half of each is also a short number, for the middle axis label.
const ROUND = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]

/** The smallest round number that is not below `value`, for the top of the axis; 1 if `value` is 0. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = ROUND.find((step) => value <= step * power) ?? 10
  return step * power
}
