import { styleText } from 'node:util'

/** `warning`: it runs, and there is something to know; `problem`: something does not work. */
export type Mark = 'ok' | 'warning' | 'problem'

/** What was found, and where it is not `ok` what to do; never a secret. */
export interface Finding {
  mark: Mark
  text: string
}

export const ok = (text: string): Finding => ({ mark: 'ok', text })
export const warning = (text: string): Finding => ({ mark: 'warning', text })
export const problem = (text: string): Finding => ({ mark: 'problem', text })

/** One thing that is examined: tells findings, and a failure of its own is one. */
export type Check = () => AsyncIterable<Finding> | Iterable<Finding>

const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const

/** Prints findings as they come, a line each, and counts them. */
export function createReport() {
  const counts = { ok: 0, warning: 0, problem: 0 }
  const tell = (about: string, { mark, text }: Finding) => {
    counts[mark] += 1
    // The mark is a word; colour, where the terminal has it, comes on top.
    console.log(`${styleText(COLOURS[mark], mark.padEnd(8))} ${about.padEnd(16)} ${text}`)
  }
  const examine = async (about: string, check: Check) => {
    try {
      for await (const finding of check()) tell(about, finding)
    } catch (error) {
      tell(about, problem(error instanceof Error ? error.message : String(error)))
    }
  }
  return { counts, examine }
}
