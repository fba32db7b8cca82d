interface Contender {
  work: () => Promise<unknown>
  /** Runs before `work`, untimed. */
  prepare?: () => Promise<unknown>
}

/** Returns each contender's fastest timing in milliseconds. Contenders alternate, so their ratios hold even on a busy machine. */
export async function fastest(rounds: number, contenders: readonly Contender[]): Promise<number[]> {
  const best = contenders.map(() => Infinity)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { work, prepare }] of contenders.entries()) {
      await prepare?.()
      best[index] = Math.min(best[index]!, await time(work))
    }
  }
  return best
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** Prints a measurement with its limit, if any. Exceeding a limit fails the benchmark. */
export function report(name: string, value: number, unit: string, limit?: number): void {
  const exceeded = limit !== undefined && value > limit
  const note = limit === undefined ? '' : `  (at most ${limit}${exceeded ? ': EXCEEDED' : ''})`
  console.log(`  ${name.padEnd(66)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}${note}`)
  if (exceeded) process.exitCode = 1
}
