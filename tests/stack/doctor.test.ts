import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sql } from 'postgres'
import { connect } from '../../embedded/postgres/connect.ts'
import { startServer } from '../../embedded/postgres/server.ts'
import { freePort } from '../../embedded/port.ts'
import { FUNCTIONS } from '../../scripts/doctor/hosted-project.ts'
import { prepareSample, startPrepared, type Prepared } from '../postgres.ts'
import { temporaryFolder, type Running } from '../running.ts'
import {
  PLANTED,
  SIGN_IN,
  SIGN_IN_BY_TOKEN,
  startRideWithGps,
  type RideWithGps,
} from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
const dataFolder = () => path.join(folder, 'data')

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

async function doctor(environment: Record<string, string> = {}) {
  const { code, output } = await command('doctor', [], {
    PORT: String(await freePort()),
    TRACKER_DATA_DIR: dataFolder(),
    ...environment,
  })
  return { code, output, lines: output.trim().split('\n') }
}

const line = (mark: 'ok' | 'warning' | 'problem', topic: string, text: string) =>
  expect.stringMatching(new RegExp(`^${mark} +${topic} +.*${text}`))

async function serve(listener: RequestListener): Promise<{ server: Server; port: number; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://127.0.0.1:${port}` }
}

test('reports no problems before the first start and creates nothing', async () => {
  const { code, output, lines } = await doctor()
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
})

describe('with a real account', () => {
  let rwgps: RideWithGps
  beforeAll(async () => {
    rwgps = await startRideWithGps()
  })
  afterEach(() => rwgps.reset())
  afterAll(() => rwgps.close())

  const diagnose = (secrets: Record<string, string>) => doctor({ RWGPS_BASE_URL: rwgps.url, ...secrets })

  test.each([
    ['an email and password', SIGN_IN],
    ['a token', SIGN_IN_BY_TOKEN],
  ])('accepts %s without fetching trips or printing a secret', async (_, secrets) => {
    rwgps.behavior.gear = [{ id: 1, nickname: 'Road' }]
    const { code, output, lines } = await diagnose(secrets)
    expect(lines).toContainEqual(line('ok', 'Ride with GPS', Object.keys(secrets).join(', ')))
    expect(lines).toContainEqual(line('ok', 'Ride with GPS', 'accepted the credentials and has 1 bike\\.'))
    expect(code).toBe(0)
    expect(rwgps.requests.map(({ call }) => call)).toEqual(['user'])
    for (const secret of Object.values(PLANTED)) expect(output).not.toContain(secret)
    expect(await readdir(folder)).toEqual([])
  })

  test('reports a wrong password after one attempt, without printing it', async () => {
    const { code, output, lines } = await diagnose({ ...SIGN_IN, RWGPS_PASSWORD: 'planted-and-wrong' })
    expect(lines).toContainEqual(
      line('problem', 'Ride with GPS', 'refused the sign-in\\. Run npm run connect'),
    )
    expect(code).toBe(1)
    expect(rwgps.requests).toHaveLength(1)
    expect(output).not.toContain('planted')
  })

  test('distinguishes an unexpected response from a rejection', async () => {
    rwgps.behavior.always = { user: { status: 200, body: '<html>' } }
    expect((await diagnose(SIGN_IN)).lines).toContainEqual(
      line('problem', 'Ride with GPS', 'something unexpected'),
    )
  })

  test('suggests checking the network when Ride with GPS is unreachable', async () => {
    const { code, lines } = await diagnose({
      ...SIGN_IN,
      RWGPS_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    })
    expect(lines).toContainEqual(line('problem', 'Ride with GPS', 'cannot be reached\\. Check the network'))
    expect(code).toBe(1)
  })

  test('names missing credentials without sending a request', async () => {
    const { code, lines } = await diagnose({ RWGPS_API_KEY: PLANTED.apiKey, RWGPS_EMAIL: PLANTED.email })
    expect(lines).toContainEqual(line('problem', 'Ride with GPS', 'RWGPS_PASSWORD is missing'))
    expect(code).toBe(1)
    expect(rwgps.requests).toEqual([])
  })
})

test('reports all invalid settings in one run', async () => {
  const { code, lines } = await doctor({
    PORT: 'high',
    RIDES_REFRESH_CRON: 'often',
    SUPABASE_URL: 'http://a',
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      line('problem', 'Port', 'PORT is "high"'),
      line('problem', 'Schedule', 'RIDES_REFRESH_CRON is "often"'),
      line('problem', 'Hosted project', 'Set both'),
      '3 problems.',
    ]),
  )
  expect(code).toBe(1)
})

test('names where notifications go, without secrets', async () => {
  const { code, output, lines } = await doctor({
    NTFY_URL: 'https://ntfy.sh/planted-topic',
    NTFY_TOKEN: 'planted-token',
    WEBHOOK_URL: 'http://127.0.0.1:8123/api/webhook/planted',
    WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  expect(lines).toContainEqual(line('ok', 'Notifications', 'ntfy gets them at ntfy\\.sh\\.'))
  expect(lines).toContainEqual(
    line('ok', 'Notifications', 'A webhook gets them at 127\\.0\\.0\\.1:8123, signed'),
  )
  expect(code).toBe(0)
  expect(output).not.toMatch(/planted|whsec/)
  const wrong = await doctor({ WEBHOOK_URL: 'https://a.example', WEBHOOK_SECRET: 'planted' })
  expect(wrong.lines).toContainEqual(line('problem', 'Notifications', 'WEBHOOK_SECRET must be whsec_'))
  expect(wrong.output).not.toContain('planted')
})

test('reports a port taken by another program', async () => {
  const { server, port } = await serve((_, response) => response.end('hello'))
  const { code, lines } = await doctor({ PORT: String(port) })
  server.close()
  expect(lines).toContainEqual(line('problem', 'Port', `${port} is taken by another program`))
  expect(code).toBe(1)
})

describe('a data folder that cannot be written to', () => {
  test('is reported when a file has its name', async () => {
    await writeFile(dataFolder(), '')
    expect((await doctor()).lines).toContainEqual(
      line('problem', 'Data folder', "can't be written to \\(ENOTDIR\\)"),
    )
  })

  test('is reported when the disk is read-only or the folder belongs to another user', async (context) => {
    const isRoot = process.getuid?.() === 0
    // Root ignores file modes.
    const mounted =
      isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tracker-test', folder]).status === 0
    if (isRoot && !mounted) context.skip('Root cannot mount a disk here.')
    if (!isRoot) await chmod(folder, 0o500)
    const { code, lines } = await doctor()
    if (mounted) execFileSync('umount', [folder])
    else await chmod(folder, 0o700)
    expect(lines).toContainEqual(line('problem', 'Data folder', "can't be written to \\((EROFS|EACCES)\\)"))
    expect(code).toBe(1)
  })
})

test('warns about a tracker that uses the data folder but does not respond', async () => {
  const server = await startServer({ dataFolder: dataFolder(), account: 'sample', databaseUrl: undefined })
  const { code, lines } = await doctor()
  await server.stop()
  expect(lines).toContainEqual(
    line('warning', 'Data folder', 'in use by a tracker that is starting, stopping or stuck'),
  )
  expect(code).toBe(0)
})

test('reports data of an older version', async () => {
  await mkdir(path.join(dataFolder(), 'sample'), { recursive: true })
  await writeFile(path.join(dataFolder(), 'sample/PG_VERSION'), '17\n')
  expect((await doctor()).lines).toContainEqual(line('problem', 'Data folder', 'saved by an older version'))
})

describe('while the tracker runs', () => {
  let stack: Running
  let data: Prepared['environment']
  let sql: Sql
  beforeAll(async () => {
    const prepared = await prepareSample()
    data = prepared.environment
    sql = connect(data.DATABASE_URL)
    stack = await startPrepared(prepared)
  })
  afterAll(async () => {
    await sql.end()
    await stack.stop()
  })

  const here = () => ({ ...data, PORT: new URL(stack.url).port })
  test('checks its port, data and functions without disturbing it', async () => {
    const [files, printed] = [await readdir(data.TRACKER_DATA_DIR, { recursive: true }), stack.output()]
    const { code, lines } = await doctor(here())
    expect(lines).toEqual(
      expect.arrayContaining([
        line('ok', 'Port', `used by the running tracker: ${stack.url}`),
        line('ok', 'Data folder', 'used by the running tracker with sample data'),
        line('ok', 'Tracker', 'update-rides responds'),
        line('ok', 'Tracker', 'maintenance-use responds'),
        line('ok', 'Tracker', 'garage responds'),
        'Everything is fine.',
      ]),
    )
    expect(code).toBe(0)
    expect(await readdir(data.TRACKER_DATA_DIR, { recursive: true })).toEqual(files)
    expect(stack.output()).toBe(printed)
  })

  test('warns when it runs with another account', async () => {
    const secrets = { ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' }
    const { lines } = await doctor({ ...here(), ...secrets })
    expect(lines).toContainEqual(line('warning', 'Data folder', 'Restart it to see your own data'))
  })

  test('reports its port as taken for another data folder', async () => {
    const { lines } = await doctor({ PORT: here().PORT })
    expect(lines).toContainEqual(line('problem', 'Port', 'taken by a tracker with another data folder'))
  })

  test('warns about keys that others can read', async () => {
    const keys = path.join(data.TRACKER_DATA_DIR, 'sample-keys.json')
    const { mode } = await stat(keys)
    await chmod(keys, 0o644)
    const { code, lines } = await doctor(here())
    await chmod(keys, mode)
    expect(lines).toContainEqual(line('warning', 'Data folder', 'sample-keys.json\\. Run chmod 600'))
    expect(lines).toContain('1 warning.')
    expect(code).toBe(0)
  })

  test('checks a hosted project without signing in or starting a sync', async () => {
    const { publishableKey, vapidPublicKey } = await (await fetch(`${stack.url}/config.json`)).json()
    const keys = await readFile(path.join(data.TRACKER_DATA_DIR, 'sample-keys.json'), 'utf8')
    const hosted = {
      SUPABASE_URL: `${stack.url}/`,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      VAPID_PUBLIC_KEY: vapidPublicKey,
      SCHEDULE_KEY: JSON.parse(keys).scheduleKey,
      TRACKER_URL: stack.url,
    }
    const before = await lastSync(sql)
    const right = await doctor(hosted)
    expect(right.lines.filter((line) => line.includes('Hosted'))).toEqual([
      line('ok', 'Hosted project', 'Sign-ups are closed'),
      line(
        'ok',
        'Hosted project',
        'update-rides runs, has the Ride with GPS credentials and rejects strangers',
      ),
      ...FUNCTIONS.slice(1).map((name) => line('ok', 'Hosted project', `${name} runs and rejects strangers`)),
      line('ok', 'Hosted project', 'Strangers cannot read any of the 12 tables'),
      line('ok', 'Hosted project', 'update-rides accepts the schedule key'),
      line('ok', 'Hosted project', `${stack.url} uses this project, with notifications`),
    ])
    expect(right.code).toBe(0)
    expect(await lastSync(sql)).toEqual(before)

    const wrong = await doctor({ ...hosted, SCHEDULE_KEY: 'another', VAPID_PUBLIC_KEY: '' })
    expect(wrong.lines).toContainEqual(line('problem', 'Hosted project', 'does not accept the schedule key'))
    expect(wrong.lines).toContainEqual(line('problem', 'Hosted project', 'has another VAPID_PUBLIC_KEY'))
    const unknown = await doctor({ ...hosted, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_another' })
    expect(unknown.lines).toContainEqual(
      line('problem', 'Hosted project', 'does not accept the publishable key'),
    )
    expect(unknown.code).toBe(1)
  })
})

const lastSync = (sql: Sql) => sql`select max(id) from public.ride_syncs`

async function diagnose(responses: Record<string, { status: number; body: unknown }>) {
  const { server, url } = await serve(({ url }, response) => {
    const found = Object.entries(responses).find(([path]) => url?.startsWith(path))
    const { status, body } = found?.[1] ?? { status: 401, body: { code: '42501' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const { code, lines } = await doctor({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'planted' })
  server.close()
  expect(code).toBe(1)
  return lines
}

describe('in a hosted project, reports', () => {
  const closed = { '/auth/v1/settings': { status: 200, body: { disable_signup: true } } }

  test('open sign-ups', async () => {
    const lines = await diagnose({ '/auth/v1/settings': { status: 200, body: { disable_signup: false } } })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'Sign-ups are open.+npm run deploy'))
  })

  test('functions that are missing, behind verify_jwt or failing to start', async () => {
    const lines = await diagnose({
      ...closed,
      '/functions/v1/update-rides': { status: 404, body: { code: 'NOT_FOUND' } },
      '/functions/v1/maintenance-use': { status: 401, body: { code: 401 } },
      '/functions/v1/calendar': { status: 404, body: { code: 'NOT_FOUND' } },
    })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'update-rides is not deployed'))
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'calendar is not deployed'))
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'verify_jwt keeps maintenance-use from'))
    const broken = await diagnose({
      ...closed,
      '/functions/v1/update-rides': { status: 503, body: { code: 'BOOT_ERROR' } },
    })
    expect(broken).toContainEqual(line('problem', 'Hosted project', 'update-rides returns 503 BOOT_ERROR'))
  })

  test('public or missing tables', async () => {
    const open = await diagnose({ ...closed, '/rest/v1/rides': { status: 200, body: [{ id: 1 }] } })
    expect(open).toContainEqual(line('problem', 'Hosted project', 'Anyone can read rides'))
    const empty = await diagnose({ ...closed, '/rest/v1/': { status: 404, body: { code: 'PGRST205' } } })
    expect(empty).toContainEqual(line('problem', 'Hosted project', 'Missing tables: bikes, .+npm run deploy'))
  })

  test('an unreachable project', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, lines } = await doctor({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'planted' })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'cannot be reached'))
    expect(code).toBe(1)
  })
})
