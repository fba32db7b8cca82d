import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLI = fileURLToPath(new URL('../node_modules/.bin/supabase', import.meta.url))

interface Output {
  stdout: string
  stderr: string
}

export async function supabase(...args: string[]): Promise<Output> {
  return supabaseIn({}, ...args)
}

export async function supabaseIn(environment: Record<string, string>, ...args: string[]): Promise<Output> {
  const quiet = { SUPABASE_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', PGSSLMODE: 'disable' }
  return promisify(execFile)(CLI, args, {
    cwd: ROOT,
    maxBuffer: 1 << 26,
    env: { ...process.env, ...quiet, ...environment },
  })
}

/** Generates the contents of `database.types.ts` from the database at `url`. */
export async function databaseTypes(url: string): Promise<string> {
  const { stdout } = await supabase('gen', 'types', 'typescript', '--schema', 'public', `--remote=${url}`)
  return stdout
}
