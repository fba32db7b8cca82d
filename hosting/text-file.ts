import { readFileSync } from 'node:fs'

/** An error whose message explains to the owner what happened and what to do. Printed without a stack trace. */
export class StartError extends Error {}

/** Reads the owner's text file. Throws a StartError if it can't be read or isn't UTF-8. */
export function readTextFile(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof TypeError)
      throw new StartError(`${file} isn't UTF-8 text. Save it as UTF-8, then try again.`)
    throw new StartError(`Can't read ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}
