import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningStack } from '../embedded/data-folder.ts'
import { freePort } from '../embedded/port.ts'
import { startServer } from '../embedded/postgres/server.ts'
import { temporaryFolder } from '../tests/running.ts'
import {
  PLANTED,
  SIGN_IN,
  SIGN_IN_BY_TOKEN,
  startRideWithGps,
  type RideWithGps,
} from '../tests/sync/ride-with-gps.ts'
import type { CheckResult } from './doctor/check.ts'
import { checkHostedProject } from './doctor/hosted-project.ts'
import { checkChannels, checkDataFolder, checkPort } from './doctor/local.ts'
import { checkRideWithGps } from './doctor/ride-with-gps.ts'

const result = (mark: CheckResult['mark'], text: string) => ({ mark, text: expect.stringContaining(text) })

type Responses = Record<string, { status: number; body: unknown }>

/** Serves the response of the first path that the request's path begins with. */
async function serve(responses: Responses) {
  const server = createServer(({ url }, response) => {
    const found = Object.entries(responses).find(([path]) => url?.startsWith(path))
    const { status, body } = found?.[1] ?? { status: 401, body: { code: '42501' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe('Ride with GPS', () => {
  let rwgps: RideWithGps
  beforeAll(async () => {
    rwgps = await startRideWithGps()
  })
  afterEach(() => rwgps.reset())
  afterAll(() => rwgps.close())

  const check = (secrets: Record<string, string>) =>
    Array.fromAsync(checkRideWithGps({ RWGPS_BASE_URL: rwgps.url, ...secrets }))

  test.each([
    ['an email and password', SIGN_IN],
    ['a token', SIGN_IN_BY_TOKEN],
  ])('accepts %s without fetching trips or printing a secret', async (_, secrets) => {
    rwgps.behavior.gear = [{ id: 1, nickname: 'Road' }]
    const results = await check(secrets)
    expect(results).toEqual([
      result('ok', Object.keys(secrets).join(', ')),
      result('ok', 'accepted the credentials and has 1 bike.'),
    ])
    expect(rwgps.requests.map(({ call }) => call)).toEqual(['user'])
    for (const secret of Object.values(PLANTED)) expect(JSON.stringify(results)).not.toContain(secret)
  })

  test('refuses a wrong password after one attempt, without printing it', async () => {
    const results = await check({ ...SIGN_IN, RWGPS_PASSWORD: 'planted-and-wrong' })
    expect(results).toContainEqual(result('problem', 'refused the sign-in. Run npm run connect'))
    expect(JSON.stringify(results)).not.toContain('planted')
    expect(rwgps.requests).toHaveLength(1)
  })

  test('can return something unexpected, limit requests or be unreachable', async () => {
    rwgps.behavior.always = { user: { status: 200, body: '<html>' } }
    expect(await check(SIGN_IN)).toContainEqual(result('problem', 'something unexpected'))
    rwgps.behavior.always = { user: { status: 429, headers: { 'retry-after': '3600' } } }
    expect(await check(SIGN_IN)).toContainEqual(result('warning', 'limits requests'))
    const nowhere = { ...SIGN_IN, RWGPS_BASE_URL: `http://127.0.0.1:${await freePort()}` }
    expect(await check(nowhere)).toContainEqual(result('problem', 'cannot be reached. Check the network'))
  })
})

test('names where notifications go, without secrets', () => {
  const results = checkChannels({
    NTFY_URL: 'https://ntfy.sh/planted-topic',
    NTFY_TOKEN: 'planted-token',
    WEBHOOK_URL: 'http://127.0.0.1:8123/api/webhook/planted',
    WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  expect([...results]).toEqual([
    { mark: 'ok', text: 'ntfy gets them at ntfy.sh.' },
    { mark: 'ok', text: 'A webhook gets them at 127.0.0.1:8123, signed.' },
  ])
})

test('a port may be taken by another program, or by a tracker with another data folder', async () => {
  const responses: Responses = {}
  const { port, url, close } = await serve(responses)
  const check = () => Array.fromAsync(checkPort(port, undefined))
  expect(await check()).toEqual([result('problem', `${port} is taken by another program`)])
  responses['/config.json'] = { status: 200, body: { supabaseUrl: url } }
  expect(await check()).toEqual([result('problem', 'taken by a tracker with another data folder')])
  close()
})

describe('a data folder', () => {
  let folder: string
  let remove: () => Promise<void>
  beforeEach(async () => {
    ;({ folder, remove } = await temporaryFolder())
  })
  afterEach(() => remove())

  const dataFolder = () => path.join(folder, 'data')
  const check = (secrets: Record<string, string> = {}, tracker?: RunningStack) =>
    Array.fromAsync(checkDataFolder(dataFolder(), secrets, tracker))

  test('may have the name of a file', async () => {
    await writeFile(dataFolder(), '')
    expect(await check()).toEqual([result('problem', "can't be written to (ENOTDIR)")])
  })

  test('may be on a read-only disk or belong to another user', async (context) => {
    const isRoot = process.getuid?.() === 0
    // Root ignores file modes.
    const mounted =
      isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tracker-test', folder]).status === 0
    if (isRoot && !mounted) context.skip('Root cannot mount a disk here.')
    if (!isRoot) await chmod(folder, 0o500)
    const results = await check()
    if (mounted) execFileSync('umount', [folder])
    else await chmod(folder, 0o700)
    expect(results).toEqual([
      { mark: 'problem', text: expect.stringMatching(/can't be written to \((EROFS|EACCES)\)/) },
    ])
  })

  test('may be in use by a tracker that does not respond, or that runs with another account', async () => {
    const server = await startServer({ dataFolder: dataFolder(), account: 'sample', databaseUrl: undefined })
    const stuck = await check()
    await server.stop()
    expect(stuck).toContainEqual(result('warning', 'in use by a tracker that is starting, stopping or stuck'))
    const tracker: RunningStack = { url: 'http://127.0.0.1:9', account: 'sample', warnings: [] }
    expect(await check(SIGN_IN, tracker)).toContainEqual(result('warning', 'Restart it to see your own data'))
  })

  test('may have data of an older version', async () => {
    await mkdir(path.join(dataFolder(), 'sample'), { recursive: true })
    await writeFile(path.join(dataFolder(), 'sample/PG_VERSION'), '17\n')
    await expect(check()).rejects.toThrow('saved by an older version')
  })

  test('may have keys that others can read', async () => {
    await mkdir(dataFolder())
    await writeFile(path.join(dataFolder(), 'sample-keys.json'), '{}')
    await chmod(path.join(dataFolder(), 'sample-keys.json'), 0o644)
    const results = await check()
    expect(results).toContainEqual(result('ok', 'has sample data'))
    expect(results).toContainEqual({
      mark: 'warning',
      text: expect.stringMatching(/sample-keys\.json\. Run chmod 600/),
    })
  })
})

async function checkHosted(responses: Responses) {
  const { url, close } = await serve(responses)
  const results = await Array.fromAsync(checkHostedProject({ url, publishableKey: 'planted' }))
  close()
  return results
}

describe('in a hosted project, reports', () => {
  const closed = { '/auth/v1/settings': { status: 200, body: { disable_signup: true } } }

  test('open sign-ups', async () => {
    const results = await checkHosted({
      '/auth/v1/settings': { status: 200, body: { disable_signup: false } },
    })
    expect(results).toContainEqual({
      mark: 'problem',
      text: expect.stringMatching(/Sign-ups are open.+npm run deploy/),
    })
  })

  test('functions that are missing, behind verify_jwt or failing to start', async () => {
    const results = await checkHosted({
      ...closed,
      '/functions/v1/update-rides': { status: 404, body: { code: 'NOT_FOUND' } },
      '/functions/v1/maintenance-use': { status: 401, body: { code: 401 } },
      '/functions/v1/calendar': { status: 404, body: { code: 'NOT_FOUND' } },
      '/functions/v1/garage': { status: 503, body: { code: 'BOOT_ERROR' } },
    })
    for (const text of [
      'update-rides is not deployed',
      'calendar is not deployed',
      'verify_jwt keeps maintenance-use from',
      'garage returns 503 BOOT_ERROR',
    ])
      expect(results).toContainEqual(result('problem', text))
  })

  test('public or missing tables', async () => {
    const open = await checkHosted({ ...closed, '/rest/v1/rides': { status: 200, body: [{ id: 1 }] } })
    expect(open).toContainEqual(result('problem', 'Anyone can read rides'))
    const empty = await checkHosted({ ...closed, '/rest/v1/': { status: 404, body: { code: 'PGRST205' } } })
    expect(empty).toContainEqual({
      mark: 'problem',
      text: expect.stringMatching(/Missing tables: attached_logs, bike_details, bikes, .+npm run deploy/),
    })
  })
})
