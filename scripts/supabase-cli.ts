import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../embedded/installation.ts'

export const CLI = path.join(ROOT, 'node_modules/supabase/dist/supabase.js')

/** Runs the Supabase CLI without telemetry and returns its output. */
export const runSupabase = (args: string[], environment: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
    env: { ...environment, DO_NOT_TRACK: '1' },
  })

/** Runs the Supabase CLI for a database without TLS. */
export const supabase = (...args: string[]) => runSupabase(args, { ...process.env, PGSSLMODE: 'disable' })

/** Generates the contents of `database.types.ts` from the database at `url`. */
export async function databaseTypes(url: string): Promise<string> {
  const { stdout } = await supabase('gen', 'types', 'typescript', '--schema', 'public', `--remote=${url}`)
  return stdout
}
