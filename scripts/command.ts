import path from 'node:path'
import { StartError } from '../embedded/settings.ts'

/** Runs a command and ends the process, with code 1 and a message after a failure. */
export async function runCommand(command: () => Promise<void>): Promise<never> {
  Object.assign(process.env, { LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' })
  let code = 0
  try {
    await command()
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    code = 1
  }
  process.exit(code)
}

/** A path as the caller meant it: npm runs scripts in the project's folder, wherever it was called. */
export function fromHere(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? '.', file)
}
