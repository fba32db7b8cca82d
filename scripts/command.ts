import path from 'node:path'
import { StartError } from '../embedded/settings.ts'

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

/** Resolves a path relative to the folder in which npm was called, since npm runs scripts in the project folder. */
export function resolvePath(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? '.', file)
}
