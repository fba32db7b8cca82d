import { readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FORMER } from '../../embedded/baseline.ts'
import { freePort } from '../../embedded/port.ts'
import { openProject } from '../../scripts/deploy/project.ts'
import { checkSchedule, FUNCTIONS } from '../../scripts/doctor/hosted-project.ts'
import { runSupabase, supabaseCli } from '../../scripts/supabase-cli.ts'
import { openPlain, type TestDatabase } from '../database/databases.ts'
import { temporaryFolder } from '../running.ts'
import { type ManagementApi, PUBLISHABLE_KEY, startManagementApi } from './management-api.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

const REF = 'abcdefghijklmnopqrst'
const URL = `https://${REF}.supabase.co`
// Characters that are special in shells, in SQL or in files that the CLI reads.
const PASSWORD = String.raw`p#a$HOME 's"\n$X`

// Plain PostgreSQL has none of these extensions.
const EXTENSIONS = `
create schema net;
create schema vault;
create table vault.decrypted_secrets (id uuid default gen_random_uuid(), name text unique, decrypted_secret text);
create function vault.create_secret(new_secret text, new_name text) returns void language sql as $$
  insert into vault.decrypted_secrets (name, decrypted_secret) values (new_name, new_secret)
$$;
create schema cron;
create table cron.job (
  jobid bigint generated always as identity, jobname text unique, schedule text, command text, active boolean default true
);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3) returning jobid
$$;`

let sandbox: Sandbox
let database: TestDatabase
let api: ManagementApi
let cli: Record<string, string>
let failingCli: Record<string, string>
let cleanups: (() => unknown)[]

const rejection = (promise: Promise<string>) => promise.then(String, (error: Error) => error.message)
const openWith = (environment: Record<string, string>) => openProject(REF, { ...process.env, ...environment })
const inSandbox = (file: string) => path.join(sandbox.root, file)
const readSettings = () => readFile(inSandbox('supabase/.env.hosted'), 'utf8')
const rows = async (sql: string) => (await database.run(sql))[0]!

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  database = await openPlain()
  await database.run(EXTENSIONS)
  api = await startManagementApi(folder, rows)
  sandbox = await openSandbox()
  cleanups = [() => sandbox.close(), () => api.close(), () => database.close(), remove]
  const writeCli = async (name: string, script: string) => {
    const file = path.join(folder, name)
    await writeFile(file, `#!/bin/sh\n${script}`, { mode: 0o700 })
    return {
      HOME: folder,
      SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
      SUPABASE_PROFILE: api.profile,
      SUPABASE_CLI_BINARY_OVERRIDE: file,
    }
  }
  // The CLI connects to a project's database only at its own domain.
  cli = await writeCli(
    'supabase',
    `case "$*" in "db push --yes --remote="*) export PGSSLMODE=disable; set -- db push --yes --remote='${database.url}';; esac
exec '${await cliBinary()}' "$@"`,
  )
  failingCli = await writeCli(
    'failing',
    `case "$*" in
  'projects api-keys'*) echo '[{ "type": "publishable", "api_key": "${PUBLISHABLE_KEY}" }]';;
  'secrets list'*) echo '[]';;
  'config diff'*) ;;
  'db query'*to_regclass*) echo '[]';;
  *) printf 'Target: a project\\nAccess token not provided.\\n\\nSign in.\\n' >&2; exit 1;;
esac`,
  )
})
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp()
})

async function cliBinary(): Promise<string> {
  const { resolve } = createRequire(await supabaseCli())
  const manifest = resolve(`@supabase/cli-${process.platform}-${process.arch}/package.json`)
  return path.join(path.dirname(manifest), 'bin/supabase')
}

test('shows what would change, and changes nothing without a yes', async () => {
  const settings = `
SUPABASE_URL=${URL}
TRACKER_URL=https://tracker.example.com
RWGPS_API_KEY=key
RWGPS_EMAIL=owner@example.com
RWGPS_PASSWORD=\`${PASSWORD}\`
`
  await writeFile(inSandbox('supabase/.env.hosted'), settings)
  // The confirmation prompt gets no answer.
  expect(await rejection(sandbox.run('true | npm run deploy', cli))).toMatch(
    /auth\.site_url \[update\]\s+local: +"https:\/\/tracker\.example\.com"[^]*Continue\?[^]*Nothing was changed/,
  )
  expect(api.writes).toEqual([])
  expect(await readSettings()).toBe(settings)
})

test('says how to repair a project from before the migrations became one, and changes nothing', async () => {
  await database.run(`create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text);
    insert into supabase_migrations.schema_migrations values ('${FORMER.join("'), ('")}')`)
  const failure = await rejection(sandbox.run('echo y | npm run deploy', cli))
  expect(failure).toContain('Nothing was changed. Run these lines')
  const documented = await readFile('docs/deploy.md', 'utf8')
  const lines = failure.match(/^npm run supabase -- migration repair .+$/gm)!
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(documented).toContain(`\n${line}\n`)
  expect(api.writes).toEqual([])
  await database.run('drop schema supabase_migrations cascade')
})

test('stops at a step that fails, and says which', async () => {
  const failure = await rejection(sandbox.run('echo y | npm run deploy', failingCli))
  expect(failure).toContain('supabase config ended with exit code 1. The steps after "Settings" did not run')
  expect(failure).not.toContain('2/6')
})

describe('when deployed after that', () => {
  let before: string
  let output: string
  beforeAll(async () => {
    before = await readSettings()
    output = await sandbox.run('true | npm run deploy -- --yes', cli)
  })

  test('keeps what it created in the file, which only its owner can read', async () => {
    const settings = await readSettings()
    expect(settings).toBe(before)
    expect(settings).toMatch(
      new RegExp(
        `^SUPABASE_PUBLISHABLE_KEY=${PUBLISHABLE_KEY}\nSCHEDULE_KEY=[\\w-]{43}\nVAPID_PUBLIC_KEY=B[\\w-]{86}\nVAPID_PRIVATE_KEY=[\\w-]{43}\n`,
        'm',
      ),
    )
    expect((await stat(inSandbox('supabase/.env.hosted'))).mode & 0o777).toBe(0o600)
    expect(output).not.toMatch(/VAPID_PRIVATE_KEY=|SCHEDULE_KEY=|p#a/)
  })

  test('pushes the settings', () => {
    expect(api.auth).toMatchObject({
      site_url: 'https://tracker.example.com',
      uri_allow_list: 'https://tracker.example.com',
      disable_signup: true,
      password_min_length: 8,
    })
    expect(api.api).toMatchObject({ db_schema: 'public', max_rows: 1000 })
  })

  test('has no settings to push again', async () => {
    const pushed = api.writes.length
    const environment = { ...process.env, ...cli, TRACKER_URL: 'https://tracker.example.com' }
    await runSupabase(['config', 'push', '--yes', `--remote=${REF}`], environment)
    expect(api.writes.slice(pushed)).toEqual([])
  })

  test('creates the tables', async () => {
    expect(await rows(`select to_regclass('public.rides') as rides`)).toEqual([{ rides: 'rides' }])
  })

  test('sets the secrets, and nothing that is public', async () => {
    const settings = await readSettings()
    const secret = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(settings)![1]
    expect(Object.fromEntries(api.secrets)).toEqual({
      RWGPS_API_KEY: 'key',
      RWGPS_EMAIL: 'owner@example.com',
      RWGPS_PASSWORD: PASSWORD,
      SCHEDULE_KEY: secret('SCHEDULE_KEY'),
      VAPID_PUBLIC_KEY: secret('VAPID_PUBLIC_KEY'),
      VAPID_PRIVATE_KEY: secret('VAPID_PRIVATE_KEY'),
    })
  })

  test('schedules syncs with the key', async () => {
    expect(await rows('select schedule from cron.job')).toEqual([{ schedule: '7-59/10 * * * *' }])
    expect(await rows('select name, decrypted_secret from vault.decrypted_secrets order by name')).toEqual([
      { name: 'update_rides_schedule_key', decrypted_secret: api.secrets.get('SCHEDULE_KEY') },
      { name: 'update_rides_url', decrypted_secret: `${URL}/functions/v1/update-rides` },
    ])
  })

  test('lets the doctor read the schedule', async () => {
    expect(await checkSchedule(openWith(cli))).toEqual({
      mark: 'ok',
      text: 'Rides sync automatically: 7-59/10 * * * * (UTC)',
    })
    expect(await checkSchedule(openWith(failingCli))).toEqual({
      mark: 'warning',
      text: 'The schedule in the database was not checked: Access token not provided. Sign in.',
    })
  })

  test('builds the client for the project, with its address in the page and the headers', async () => {
    expect(JSON.parse(await readFile(inSandbox('dist/config.json'), 'utf8'))).toMatchObject({
      supabaseUrl: URL,
      publishableKey: PUBLISHABLE_KEY,
      vapidPublicKey: api.secrets.get('VAPID_PUBLIC_KEY'),
    })
    expect(await readFile(inSandbox('dist/index.html'), 'utf8')).toContain(`"preconnect" href="${URL}"`)
    for (const file of ['_headers', 'vercel.json'])
      expect(await readFile(inSandbox(`dist/${file}`), 'utf8')).toContain(`connect-src 'self' ${URL};`)
  })

  test('Vite serves the built client', async () => {
    const preview = `npm run preview -- --host 127.0.0.1 --port ${await freePort()}`
    await sandbox.serve(preview, async (url) => {
      expect(await (await fetch(url)).text()).toContain('<title>RWGPS Maintenance Tracker<')
      expect(await (await fetch(`${url}/config.json`)).json()).toMatchObject({ sample: false })
    })
  })

  test('deploys every function', () => {
    expect([...api.uploads.keys()].toSorted()).toEqual(FUNCTIONS.toSorted())
  })

  describe.each(FUNCTIONS)('the deployed %s', (name) => {
    test('verifies its callers itself and has its own import map', () => {
      expect(api.uploads.get(name)!.metadata).toMatchObject({
        verify_jwt: false,
        entrypoint_path: `supabase/functions/${name}/index.ts`,
        import_map_path: `supabase/functions/${name}/deno.json`,
      })
    })

    test('contains no tests, secrets or files of other functions', () => {
      const files = [...api.uploads.get(name)!.files.keys()]
      expect(files.length).toBeGreaterThan(8)
      const own = new RegExp(`^supabase/(?:functions/(?:_shared|${name})/|database\\.types\\.ts$)`)
      expect(files.filter((file) => !own.test(file))).toEqual([])
      expect(files.filter((file) => /_test\.ts$|testing\.ts$|\.env/.test(file))).toEqual([])
    })

    // `npm run check:types` checks the functions' types, and commands.test.ts bundles a function with Deno.
    test('imports nothing that is not deployed with it', async () => {
      const { files, metadata } = api.uploads.get(name)!
      const { imports } = JSON.parse(files.get(String(metadata.import_map_path))!)
      const uploaded = {
        name: 'uploaded',
        resolveId(name: string, importer = '') {
          if (Object.hasOwn(imports, name) || name.startsWith('node:')) return { id: name, external: true }
          const file = path.posix.join(path.posix.dirname(importer), name)
          if (!files.has(file)) throw new Error(`${importer} imports ${name}, which is not deployed.`)
          return file
        },
        load: (file: string) => files.get(file),
      }
      const bundled = await rolldown({ input: String(metadata.entrypoint_path), plugins: [uploaded] })
      const { output } = await bundled.generate()
      expect(output[0].code).toContain('function jsonResponse(')
    })
  })
})
