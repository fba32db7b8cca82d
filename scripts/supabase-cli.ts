import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../embedded/installation.ts'
import { StartError } from '../embedded/settings.ts'

const execute = promisify(execFile)
const LOCKED = path.join(ROOT, 'scripts/supabase-cli')
const CACHE = path.join(ROOT, 'node_modules/.cache')

/** Returns the Supabase CLI's file. Downloads the locked version on the first use, because few need its 142 MB. */
export async function supabaseCli(cache = CACHE): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(path.join(LOCKED, 'package.json'), 'utf8')) as {
    dependencies: { supabase: string }
  }
  const folder = path.join(cache, `supabase-cli-${dependencies.supabase}`)
  if (!existsSync(folder)) await download(folder)
  return path.join(folder, 'node_modules/supabase/dist/supabase.js')
}

async function download(folder: string): Promise<void> {
  console.error('Downloading the Supabase CLI (65 MB).')
  await mkdir(path.dirname(folder), { recursive: true })
  // Renamed at the end, so a folder is complete, and other processes can download it at the same time.
  const temporary = await mkdtemp(`${folder}-`)
  try {
    await cp(LOCKED, temporary, { recursive: true })
    await installIn(temporary)
    await rename(temporary, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function installIn(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error']
  // The npm and Node.js that run this script, because an old npm may not support a new Node.js.
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env
  const [program, ...args] = npm ? [node, npm] : ['npm']
  const npmCi = execute(program, [...args, 'ci', ...options], { cwd: folder })
  await npmCi.catch(({ message, stderr }: { message: string; stderr: string }) => {
    const [, reason = stderr || message] = /failed, reason: (.+)/.exec(stderr) ?? []
    throw new StartError(
      `The Supabase CLI could not be downloaded (${reason.trim()}). Check the network, then try again.`,
    )
  })
}

/** Runs the Supabase CLI without telemetry and returns its output. */
export const runSupabase = async (args: string[], environment: NodeJS.ProcessEnv) =>
  execute(process.execPath, [await supabaseCli(), ...args], {
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
