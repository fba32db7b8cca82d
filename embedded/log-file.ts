import { appendFileSync, renameSync, statSync } from 'node:fs'

/** The destination of the edge functions' log. */
export type LogOutput = Pick<Console, 'log' | 'error'>

// The current and the previous file use at most 1 MB.
const MAX_BYTES = 2 ** 19

/** Logs to a file. Renames a full file to `….1`, replacing the previous one. */
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
      // Drop the line, so the tracker keeps serving reads on a full disk.
    }
  }
  return { log: append, error: append }
}

/** Logs to standard error, but holds the lines until `release` is called. */
export function createHeldLog(): LogOutput & { release: () => void } {
  let held: string[] | null = []
  const log = (line: string) => (held ? held.push(line) : console.error(line))
  return {
    log,
    error: log,
    release: () => {
      const lines = held ?? []
      held = null
      lines.forEach(log)
    },
  }
}
