import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLI = fileURLToPath(new URL('../node_modules/.bin/supabase', import.meta.url))

interface Printed {
  stdout: string
  stderr: string
}

/** Runs the real Supabase CLI in the project and returns what it printed; rejects with its words if it failed. */
export async function supabase(...args: string[]): Promise<Printed> {
  return supabaseIn({}, ...args)
}

/** The same with more variables in its environment. */
export async function supabaseIn(environment: Record<string, string>, ...args: string[]): Promise<Printed> {
  const quiet = { SUPABASE_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', PGSSLMODE: 'disable' }
  return promisify(execFile)(CLI, args, {
    cwd: ROOT,
    maxBuffer: 1 << 26,
    env: { ...process.env, ...quiet, ...environment },
  })
}

/** The types of the public schema of the database at `url`, as `database.types.ts` holds them. */
export async function databaseTypes(url: string): Promise<string> {
  const { stdout } = await supabase('gen', 'types', 'typescript', '--schema', 'public', `--remote=${url}`)
  return stdout
}
