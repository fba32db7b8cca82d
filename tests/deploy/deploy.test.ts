import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProject } from '../../scripts/deploy/project.ts'
import { checkSchedule, FUNCTIONS } from '../../scripts/doctor/hosted-project.ts'
import { openPlain, type TestDatabase } from '../database/databases.ts'
import { temporaryFolder } from '../running.ts'
import { type ManagementApi, PUBLISHABLE_KEY, startManagementApi } from './management-api.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

const URL = 'https://abcdefghijklmnopqrst.supabase.co'
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
create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as $$
  update vault.decrypted_secrets set decrypted_secret = new_secret where id = secret_id
$$;`
const CRON = `
create schema cron;
create table cron.job (
  jobid bigint generated always as identity, jobname text unique, schedule text, command text, active boolean default true
);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3) returning jobid
$$;
create function cron.unschedule(job_id bigint) returns boolean language sql as $$
  delete from cron.job where jobid = $1 returning true
$$;`

let sandbox: Sandbox
let database: TestDatabase
let api: ManagementApi
let environment: string
let cleanups: (() => unknown)[]
let output: string

const deploy = (input: string, options = '') =>
  sandbox.run(`${input} | ${environment} npm run deploy${options}`)
const rejection = (promise: Promise<string>) => promise.then(String, (error: Error) => error.message)
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
  const cli = path.join(folder, 'supabase')
  environment = [
    `HOME=${folder}`,
    `SUPABASE_ACCESS_TOKEN=sbp_${'0'.repeat(40)}`,
    `SUPABASE_PROFILE=${api.profile}`,
    `SUPABASE_CLI_BINARY_OVERRIDE=${cli}`,
  ].join(' ')
  // The CLI connects to a project's database only at its own domain.
  await writeFile(
    cli,
    `#!/bin/sh
case "$*" in "db push --yes --remote="*) export PGSSLMODE=disable; set -- db push --yes --remote='${database.url}';; esac
exec '${cliBinary()}' "$@"
`,
  )
  await chmod(cli, 0o700)
})
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp()
})

function cliBinary(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('supabase/package.json'))
  const manifest = resolve(`@supabase/cli-${process.platform}-${process.arch}/package.json`)
  return path.join(path.dirname(manifest), 'bin/supabase')
}

test('the first run creates the file to fill in', async () => {
  expect(await rejection(deploy('echo'))).toContain('Fill in supabase/.env.hosted')
  expect(await readSettings()).toMatch(/^SUPABASE_URL=$/m)
})

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
  expect(await rejection(deploy('true'))).toMatch(
    /auth\.site_url \[update\]\s+local: +"https:\/\/tracker\.example\.com"[^]*Continue\?[^]*Nothing was changed/,
  )
  expect(api.writes).toEqual([])
  expect(await readSettings()).toBe(settings)
})

test('stops at a step that fails, and says which', async () => {
  const failure = await rejection(deploy('echo y'))
  expect(failure).toContain('Missing extensions: pg_cron')
  expect(failure).toContain('The steps after "Schedule" did not run')
  expect(failure).not.toContain('6/6')
})

describe('when deployed again', () => {
  let before: unknown[]
  beforeAll(async () => {
    await database.run(CRON)
    before = [await readSettings(), Object.fromEntries(api.secrets)]
    api.writes.length = 0
    output = await deploy('true', ' -- --yes')
  })

  test('keeps the keys and changes no settings', async () => {
    expect([await readSettings(), Object.fromEntries(api.secrets)]).toEqual(before)
    expect(api.writes.filter((write) => write.startsWith('PATCH'))).toEqual([])
  })

  test('saves what it created in the file, which only its owner can read', async () => {
    const settings = await readSettings()
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
    const cli = Object.fromEntries(environment.split(' ').map((variable) => variable.split('=')))
    const project = openProject('abcdefghijklmnopqrst', { ...process.env, ...cli })
    expect(await checkSchedule(project)).toEqual({
      mark: 'ok',
      text: 'Rides sync automatically: 7-59/10 * * * * (UTC)',
    })
    const signedOut = openProject('abcdefghijklmnopqrst', {
      ...process.env,
      ...cli,
      SUPABASE_ACCESS_TOKEN: '',
    })
    expect(await checkSchedule(signedOut)).toMatchObject({
      mark: 'warning',
      text: expect.stringMatching(/was not checked: Access token not provided\. .*`supabase login`/),
    })
  })

  test('builds the client for the project', async () => {
    expect(JSON.parse(await readFile(inSandbox('dist/config.json'), 'utf8'))).toMatchObject({
      supabaseUrl: URL,
      publishableKey: PUBLISHABLE_KEY,
      vapidPublicKey: api.secrets.get('VAPID_PUBLIC_KEY'),
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

  test('does not replace the notification keys of a project', async () => {
    const settings = await readSettings()
    await writeFile(inSandbox('supabase/.env.hosted'), settings.replaceAll(/^VAPID.*\n/gm, ''))
    api.writes.length = 0
    expect(await rejection(deploy('echo y'))).toMatch(/Add VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY/)
    expect(api.writes).toEqual([])
  })
})
