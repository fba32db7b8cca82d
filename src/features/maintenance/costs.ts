/** The sum of all costs, added up in cents so that no fraction of one is lost. */
export function totalCost(items: readonly { cost: number }[]): number {
  return items.reduce((cents, { cost }) => cents + Math.round(cost * 100), 0) / 100
}
