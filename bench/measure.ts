/**
 * The median of `runs` timings of `work`, in milliseconds, after one that is not counted. What `prepare` does before
 * each is not counted either.
 */
export async function median(
  runs: number,
  work: () => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= runs; run++) {
    await prepare()
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return middle(times.slice(1))
}

export function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** Prints a measurement beside what it has to hold, if anything; a broken limit makes the bench fail. */
export function report(name: string, value: number, unit: string, atMost?: number): void {
  const limit = atMost === undefined ? '' : `  (at most ${atMost}${value > atMost ? ': BROKEN' : ''})`
  console.log(`  ${name.padEnd(66)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}${limit}`)
  if (atMost !== undefined && value > atMost) process.exitCode = 1
}
