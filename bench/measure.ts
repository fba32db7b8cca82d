/** The median of `runs` timings of `work`, in milliseconds, after one that is not counted. */
export async function median(runs: number, work: () => Promise<unknown>): Promise<number> {
  await work()
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await time(work))
  return middle(times)
}

interface Contender {
  work: () => Promise<unknown>
  /** Done before each timing, and not counted. */
  prepare?: () => Promise<unknown>
}

/**
 * The fastest of `rounds` timings of each, in milliseconds. They take turns, and what else the machine has to do only
 * ever makes slower, so that their ratios stay true beside other work.
 */
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

type Bound = 'at most' | 'at least'

/** Prints a measurement beside what it has to hold, if anything; a broken limit makes the bench fail. */
export function report(
  name: string,
  value: number,
  unit: string,
  limit?: number,
  bound: Bound = 'at most',
): void {
  const isBroken = limit !== undefined && (bound === 'at most' ? value > limit : value < limit)
  const held = limit === undefined ? '' : `  (${bound} ${limit}${isBroken ? ': BROKEN' : ''})`
  console.log(`  ${name.padEnd(66)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}${held}`)
  if (isBroken) process.exitCode = 1
}
