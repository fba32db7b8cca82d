import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../../embedded/installation.ts'
import { quoted } from '../../embedded/quoted.ts'
import { StartError } from '../../embedded/settings.ts'
import { envLines } from '../connect/credentials-file.ts'
import { runSupabase, supabaseCli } from '../supabase-cli.ts'

const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')

type Environment = Record<string, string | undefined>

/** A Supabase project, accessed through the Supabase CLI and its sign-in. */
export type HostedProject = ReturnType<typeof openProject>

export function openProject(ref: string, environment: Environment = process.env) {
  const remote = `--remote=${ref}`
  const run = async (args: string[], more?: Environment) =>
    show([await supabaseCli(), ...args, remote], { ...environment, ...more })
  const read = <Row>(...args: string[]) => readRows<Row>([...args, remote, '--output', 'json'], environment)
  const query = <Row>(sql: string) => read<Row>('db', 'query', '--read-only', sql)
  return {
    remote,
    run,
    async publishableKey(): Promise<string> {
      const keys = await read<{ name: string; type?: string; api_key?: string }>('projects', 'api-keys')
      const key = keys.find(({ type }) => type === 'publishable') ?? keys.find(({ name }) => name === 'anon')
      if (key?.api_key) return key.api_key
      throw new StartError('The project has no publishable key. Create one under Settings > API Keys.')
    },
    async secretNames(): Promise<string[]> {
      return (await read<{ name: string }>('secrets', 'list')).map(({ name }) => name)
    },
    async schedule(): Promise<string | undefined> {
      const sql = `select schedule from cron.job where jobname = 'check-rides' and active`
      return (await query<{ schedule: string }>(sql))[0]?.schedule
    },
    async appliedVersions(): Promise<string[]> {
      const [history] = await query<{ name: string | null }>(
        `select to_regclass('supabase_migrations.schema_migrations')::text as name`,
      )
      if (!history?.name) return []
      const rows = await query<{ version: string }>(
        'select version from supabase_migrations.schema_migrations order by 1',
      )
      return rows.map(({ version }) => version)
    },
    setSecrets: (secrets: Record<string, string>) =>
      inFile(envLines(secrets), (file) => run(['secrets', 'set', '--env-file', file, '--yes'])),
    connectSchedule: (url: string, key: string) =>
      inFile(
        `select private.connect_ride_checks(${quoted(url)}, ${quoted(key)}) as "scheduled for the first time";\n`,
        (file) => run(['db', 'query', '--file', file, '--yes']),
      ),
  }
}

export const build = ({ SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, VAPID_PUBLIC_KEY }: Environment) =>
  show([VITE, 'build'], {
    ...process.env,
    NODE_ENV: 'production',
    SUPABASE_URL,
    SUPABASE_PUBLISHABLE_KEY,
    VAPID_PUBLIC_KEY,
  })

async function show(args: string[], env: Environment): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new StartError(`${path.basename(args[0]!, '.js')} ${args[1]} ended with exit code ${code}.`)
}

async function readRows<Row>(args: string[], env: Environment): Promise<Row[]> {
  const { stdout } = await runSupabase(args, env).catch((error: StartError | { stderr: string }) => {
    if (error instanceof StartError) throw error
    throw new StartError(
      error.stderr
        .replace(/^Target: .*/m, '')
        .trim()
        .replaceAll(/\n+/g, ' '),
    )
  })
  return JSON.parse(stdout) as Row[]
}

/** Passes text to the CLI in a file, because other users of the machine can read command-line arguments. */
async function inFile(text: string, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  try {
    const file = path.join(folder, 'input')
    await writeFile(file, text, { mode: 0o600 })
    await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
