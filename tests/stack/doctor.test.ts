// scripts/doctor.test.ts tests each check. These tests run the command.
import { chmod, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { freePort } from '../../embedded/port.ts'
import { checkHostedProject, FUNCTIONS } from '../../scripts/doctor/hosted-project.ts'
import { prepareSample, startPrepared } from '../postgres.ts'
import { temporaryFolder } from '../running.ts'
import { PLANTED, SIGN_IN } from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'

async function doctor(environment: Record<string, string>) {
  const { code, output } = await command('doctor', [], { PORT: String(await freePort()), ...environment })
  return { code, output, lines: output.trim().split('\n') }
}

const line = (mark: 'ok' | 'warning' | 'problem', topic: string, text: string) =>
  expect.stringMatching(new RegExp(`^${mark} +${topic} +.*${text}`))

const problem = (text: string) => ({ mark: 'problem', text: expect.stringContaining(text) })

test('reports no problems before the first start and creates nothing', async () => {
  const { folder, remove } = await temporaryFolder()
  const { code, output, lines } = await doctor({ TRACKER_DATA_DIR: path.join(folder, 'data') })
  expect(lines).toEqual([
    line('ok', 'Ride with GPS', 'npm start shows sample data'),
    line('ok', 'Port', 'is free'),
    line('ok', 'Data folder', 'npm start creates it with sample data'),
    line('ok', 'Schedule', 'only sync by hand'),
    '',
    'Everything is fine.',
  ])
  expect(code).toBe(0)
  // Without a terminal, the output has no colors.
  expect(output).not.toContain('\u001B')
  expect(await readdir(folder)).toEqual([])
  await remove()
})

test('reports all invalid settings in one run, without repeating secrets', async () => {
  const { code, output, lines } = await doctor({
    PORT: 'high',
    RIDES_REFRESH_CRON: 'often',
    SUPABASE_URL: 'http://a',
    RWGPS_API_KEY: PLANTED.apiKey,
    WEBHOOK_URL: 'https://a.example',
    WEBHOOK_SECRET: 'planted',
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      line('problem', 'Ride with GPS', 'RWGPS_EMAIL and RWGPS_PASSWORD are missing'),
      line('problem', 'Port', 'PORT is "high"'),
      line('problem', 'Schedule', 'RIDES_REFRESH_CRON is "often"'),
      line('problem', 'Notifications', 'WEBHOOK_SECRET must be whsec_'),
      line('problem', 'Hosted project', 'Set both'),
      '5 problems.',
    ]),
  )
  expect(code).toBe(1)
  expect(output).not.toContain('planted')
})

test("says that DATABASE_URL holds the sample when the owner's credentials are set", async () => {
  const { environment, remove } = await prepareSample()
  const { code, lines } = await doctor({ ...environment, ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' })
  expect(lines).toContainEqual(
    line('problem', 'Database', 'holds the sample\\. Set DATABASE_URL to an empty'),
  )
  expect(code).toBe(1)
  await remove()
})

test('names time zones for which PostgreSQL has other rules, and the page says so, too', async () => {
  const prepared = await prepareSample()
  const sql = connect(prepared.environment.DATABASE_URL)
  // Every time zone is UTC.
  await sql.unsafe(`
    create or replace function pg_catalog.timezone(text, timestamptz) returns timestamp language sql immutable parallel safe
    as $$ select timestamp '2000-01-01' + ($2 - timestamptz '2000-01-01 00:00:00Z') $$`)
  const stack = await startPrepared(prepared)
  expect(await (await fetch(`${stack.url}/config.json`)).json()).toMatchObject({ otherZoneRules: true })
  const { lines } = await doctor({ ...prepared.environment, PORT: new URL(stack.url).port })
  expect(lines).toContainEqual(
    line('warning', 'Tracker', 'other time zone rules than .+ for America/Los_Angeles \\(from '),
  )
  const [rides] = await sql`
    select count(*)::integer > 1000 as many, bool_and(started_at = departed_at at time zone interval '0') as in_utc from public.rides`
  expect(rides).toEqual({ many: true, in_utc: true })
  await sql.end()
  await stack.stop()
})

test('checks a running tracker, also as a hosted project, without disturbing it', async () => {
  const prepared = await prepareSample()
  const { TRACKER_DATA_DIR, DATABASE_URL } = prepared.environment
  const keysFile = path.join(TRACKER_DATA_DIR, 'sample-keys.json')
  await chmod(keysFile, 0o644)
  const stack = await startPrepared(prepared)
  const [files, printed] = [await readdir(TRACKER_DATA_DIR, { recursive: true }), stack.output()]
  const { code, lines } = await doctor({ ...prepared.environment, PORT: new URL(stack.url).port })
  expect(lines).toEqual(
    expect.arrayContaining([
      line('ok', 'Port', `used by the running tracker: ${stack.url}`),
      line('ok', 'Data folder', 'used by the running tracker with sample data'),
      line('warning', 'Data folder', 'sample-keys\\.json\\. Run chmod 600'),
      line('ok', 'Database', 'can use for sample data'),
      ...FUNCTIONS.map((name) => line('ok', 'Tracker', `${name} responds`)),
      '1 warning.',
    ]),
  )
  expect(code).toBe(0)
  expect(await readdir(TRACKER_DATA_DIR, { recursive: true })).toEqual(files)
  expect(stack.output()).toBe(printed)

  const { publishableKey, vapidPublicKey } = await (await fetch(`${stack.url}/config.json`)).json()
  const { scheduleKey } = JSON.parse(await readFile(keysFile, 'utf8'))
  const project = { url: stack.url, publishableKey, vapidPublicKey, scheduleKey, client: stack.url }
  const check = (wrong: object = {}) => Array.fromAsync(checkHostedProject({ ...project, ...wrong }))
  const sql = connect(DATABASE_URL)
  const lastSync = () => sql`select max(id) from public.ride_syncs`
  const before = await lastSync()
  const [updateRides, ...others] = FUNCTIONS
  const right = [
    'Sign-ups are closed.',
    `${updateRides} runs, has the Ride with GPS credentials and rejects strangers.`,
    ...others.map((name) => `${name} runs and rejects strangers.`),
    'Strangers cannot read any of the 15 tables.',
    'update-rides accepts the schedule key.',
    `${stack.url} uses this project, with notifications.`,
  ]
  expect(await check()).toEqual(right.map((text) => ({ mark: 'ok', text })))
  expect(await lastSync()).toEqual(before)

  const wrong = await check({ scheduleKey: 'another', vapidPublicKey: undefined })
  expect(wrong).toContainEqual(problem('does not accept the schedule key'))
  expect(wrong).toContainEqual(problem('has another VAPID_PUBLIC_KEY'))
  expect(await check({ publishableKey: 'sb_publishable_of_another' })).toEqual([
    problem('does not accept the publishable key'),
  ])
  await sql.end()
  await stack.stop()
})
