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

/** Whether each limit of the current run is exceeded by more than a third, in the order of the reports. */
let run: boolean[] = []

/** Formats a number as reports do. */
export const padded = (value: number) => value.toFixed(value < 10 ? 2 : 0).padStart(8)

/** Prints a measurement with its limit, if any. */
export function report(name: string, value: number, unit: string, limit?: number): void {
  const note = limit === undefined ? '' : `  (at most ${limit}${value > limit ? ': EXCEEDED' : ''})`
  console.log(`  ${name.padEnd(66)} ${padded(value)} ${unit}${note}`)
  if (limit !== undefined) run.push(value > (limit * 4) / 3)
}

/**
 * Runs a benchmark, and again if a limit is exceeded by more than a third, because other work may share the machine. Returns false if
 * the same limit is exceeded by that much in two of three runs.
 */
export async function keepsLimits(benchmark: () => Promise<void> | void): Promise<boolean> {
  const counts: number[] = []
  for (let left = 3; left > 0; left -= 1) {
    run = []
    await benchmark()
    for (const [index, isExceeded] of run.entries()) counts[index] = (counts[index] ?? 0) + Number(isExceeded)
    const most = Math.max(0, ...counts)
    if (most === 2) return false
    if (most === 0) return true
  }
  return true
}

export interface Reported {
  name: string
  value: number
  unit: string
}

/**
 * Reads the reports in a run's output, by the headings and reports above each, because different measurements have a report of the same
 * name, such as "against the plain sum". If a benchmark ran again, its last reports count.
 */
export function parseReports(output: string): Map<string, Reported> {
  const reports = new Map<string, Reported>()
  let [title, above] = ['', '']
  for (const line of output.split('\n')) {
    const [, name, value, unit = ''] = /^ {2}(.{66}) +([\d.]+) ([^\s(]*)/.exec(line) ?? []
    if (name === undefined) {
      if (/^\S/.test(line)) title = line
      continue
    }
    if (!name.startsWith(' ')) above = name.trim()
    const path = [title, above, name.trim()].join('\n')
    reports.set(path, { name: name.trimEnd(), value: Number(value), unit })
  }
  return reports
}
