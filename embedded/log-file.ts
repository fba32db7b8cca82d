import { appendFileSync, renameSync, statSync } from 'node:fs'

/** The destination of the edge functions' log: the console or a file. */
export type LogOutput = Pick<Console, 'log' | 'error'>

// Two files of this size make 1 MB.
const MAX_BYTES = 2 ** 19

/** Logs to a file. A full file is renamed to `….1`, which replaces the previous one. */
export function createLogFile(file: string): LogOutput {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  function append(line: string): void {
    const text = `${line}\n`
    const bytes = Buffer.byteLength(text)
    try {
      if (size > 0 && size + bytes > MAX_BYTES) {
        renameSync(file, `${file}.1`)
        size = 0
      }
      appendFileSync(file, text, { mode: 0o600 })
      size += bytes
    } catch {
      // Lose the line: on a full disk, the tracker still serves reads.
    }
  }
  return { log: append, error: append }
}
