import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer } from '../../embedded/postgres/server.ts'
import { freePort, start, temporaryFolder, type Running } from '../running.ts'
import {
  PLANTED,
  SIGN_IN,
  SIGN_IN_BY_TOKEN,
  startRideWithGps,
  type RideWithGps,
} from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'
import { copyProject, type Project } from './project.ts'

let folder: string
let remove: () => Promise<void>
const dataFolder = () => path.join(folder, 'data')

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

/** What the doctor says, a line each, and with which exit code it ends. */
async function doctor(environment: Record<string, string> = {}, root?: string) {
  const { code, output } = await command(
    'doctor',
    [],
    { PORT: String(await freePort()), TRACKER_DATA_DIR: dataFolder(), ...environment },
    root,
  )
  return { code, output, lines: output.trim().split('\n') }
}

/** A line of the doctor's. */
const line = (mark: 'ok' | 'warning' | 'problem', about: string, text: string) =>
  expect.stringMatching(new RegExp(`^${mark} +${about} +.*${text}`))

/** A server that answers as it is told, on loopback. */
async function serve(listener: RequestListener): Promise<{ server: Server; port: number; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://127.0.0.1:${port}` }
}

test('before the first start all is well, and nothing was made', async () => {
  const { code, output, lines } = await doctor()
  expect(lines).toEqual([
    line('ok', 'Node.js', 'runs the tracker'),
    line('ok', 'Packages', 'Deno [\\d.]+ runs'),
    line('ok', 'Ride with GPS', 'npm start shows the sample'),
    line('ok', 'Port', 'is free'),
    line('ok', 'Data folder', 'npm start makes the sample’s'),
    line('ok', 'Schedule', 'by hand alone'),
    '',
    'Everything is right.',
  ])
  expect(code).toBe(0)
  // Words alone, where there is no terminal.
  expect(output).not.toContain('\u001B')
  expect(await readdir(folder)).toEqual([])
})

describe('with an account of one’s own', () => {
  let rwgps: RideWithGps
  beforeAll(async () => {
    rwgps = await startRideWithGps()
  })
  afterEach(() => rwgps.reset())
  afterAll(() => rwgps.close())

  const ask = (secrets: Record<string, string>) => doctor({ RWGPS_BASE_URL: rwgps.url, ...secrets })

  test.each([
    ['e-mail and password', SIGN_IN],
    ['a token', SIGN_IN_BY_TOKEN],
  ])(
    '%s that are right are taken, the trips are not asked for, and nothing secret is told',
    async (_, secrets) => {
      rwgps.play.gear = [{ id: 1, nickname: 'Road' }]
      const { code, output, lines } = await ask(secrets)
      expect(lines).toContainEqual(line('ok', 'Ride with GPS', Object.keys(secrets).join(', ')))
      expect(lines).toContainEqual(line('ok', 'Ride with GPS', 'took them, and tells of 1 bike\\.'))
      expect(code).toBe(0)
      expect(rwgps.asked.map(({ call }) => call)).toEqual(['user'])
      for (const secret of Object.values(PLANTED)) expect(output).not.toContain(secret)
      expect(await readdir(folder)).toEqual([])
    },
  )

  test('a wrong password is refused, once, and is not repeated', async () => {
    const { code, output, lines } = await ask({ ...SIGN_IN, RWGPS_PASSWORD: 'planted-and-wrong' })
    expect(lines).toContainEqual(line('problem', 'Ride with GPS', 'refused the credentials; compare'))
    expect(code).toBe(1)
    expect(rwgps.asked).toHaveLength(1)
    expect(output).not.toContain('planted')
  })

  test('an answer that is none is told apart from a refusal', async () => {
    rwgps.play.always = { user: { status: 200, body: '<html>' } }
    expect((await ask(SIGN_IN)).lines).toContainEqual(
      line('problem', 'Ride with GPS', 'something unexpected'),
    )
  })

  test('where nobody answers, the network is to be looked at', async () => {
    const { code, lines } = await ask({ ...SIGN_IN, RWGPS_BASE_URL: `http://127.0.0.1:${await freePort()}` })
    expect(lines).toContainEqual(line('problem', 'Ride with GPS', 'cannot be reached; check the network'))
    expect(code).toBe(1)
  })

  test('what is missing of it is named, and nobody is asked', async () => {
    const { code, lines } = await ask({ RWGPS_API_KEY: PLANTED.apiKey, RWGPS_EMAIL: PLANTED.email })
    expect(lines).toContainEqual(line('problem', 'Ride with GPS', 'RWGPS_PASSWORD is missing'))
    expect(code).toBe(1)
    expect(rwgps.asked).toEqual([])
  })
})

test('settings that cannot be are all told at once', async () => {
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

test('a port that another program has is a problem', async () => {
  const { server, port } = await serve((_, response) => response.end('hello'))
  const { code, lines } = await doctor({ PORT: String(port) })
  server.close()
  expect(lines).toContainEqual(line('problem', 'Port', `${port} is taken by another program`))
  expect(code).toBe(1)
})

describe('a data folder that cannot be written', () => {
  test('because a file is in its way', async () => {
    await writeFile(dataFolder(), '')
    expect((await doctor()).lines).toContainEqual(
      line('problem', 'Data folder', 'cannot be written \\(ENOTDIR\\)'),
    )
  })

  test('because the disk is read-only, or others own it', async (context) => {
    const isRoot = process.getuid?.() === 0
    // Modes do not keep root from anything.
    const mounted =
      isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tracker-test', folder]).status === 0
    if (isRoot && !mounted) context.skip('Root may not mount a disk here.')
    if (!isRoot) await chmod(folder, 0o500)
    const { code, lines } = await doctor()
    if (mounted) execFileSync('umount', [folder])
    else await chmod(folder, 0o700)
    expect(lines).toContainEqual(line('problem', 'Data folder', 'cannot be written \\((EROFS|EACCES)\\)'))
    expect(code).toBe(1)
  })
})

test('a tracker that has the data folder and does not answer is a warning', async () => {
  const server = await startServer({ dataFolder: dataFolder(), account: 'sample', databaseUrl: undefined })
  const { code, lines } = await doctor()
  await server.stop()
  expect(lines).toContainEqual(
    line('warning', 'Data folder', 'in use by a tracker that starts, stops or hangs'),
  )
  expect(code).toBe(0)
})

test('data in the format of an older version is a problem', async () => {
  await mkdir(path.join(dataFolder(), 'sample'), { recursive: true })
  await writeFile(path.join(dataFolder(), 'sample/PG_VERSION'), '17\n')
  expect((await doctor()).lines).toContainEqual(line('problem', 'Data folder', 'saved by an older version'))
})

describe('while the tracker runs', () => {
  let stack: Running
  let ran: { folder: string; remove: () => Promise<void> }
  beforeAll(async () => {
    ran = await temporaryFolder()
    stack = await start({ TRACKER_DATA_DIR: ran.folder })
  })
  afterAll(async () => {
    await stack.stop()
    await ran.remove()
  })

  const here = () => ({ TRACKER_DATA_DIR: ran.folder, PORT: new URL(stack.url).port })
  test('its port, its data and its functions are as they should be, and it goes on undisturbed', async () => {
    const [files, printed] = [await readdir(ran.folder, { recursive: true }), stack.output()]
    const { code, lines } = await doctor(here())
    expect(lines).toEqual(
      expect.arrayContaining([
        line('ok', 'Port', `the running tracker’s: ${stack.url}`),
        line('ok', 'Data folder', 'used by the running tracker, with the sample’s data'),
        line('ok', 'Tracker', 'update-rides answers'),
        line('ok', 'Tracker', 'maintenance-use answers'),
        'Everything is right.',
      ]),
    )
    expect(code).toBe(0)
    expect(await readdir(ran.folder, { recursive: true })).toEqual(files)
    expect(stack.output()).toBe(printed)
  })

  test('an account that it was not started with is a warning, and no failure', async () => {
    const secrets = { ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' }
    const { lines } = await doctor({ ...here(), ...secrets })
    expect(lines).toContainEqual(line('warning', 'Data folder', 'start it again to see your own'))
  })

  test('its port is taken for a tracker with other data', async () => {
    const { lines } = await doctor({ PORT: here().PORT })
    expect(lines).toContainEqual(line('problem', 'Port', 'taken by a tracker with another data folder'))
  })

  test('keys that others may read are a warning, and no failure', async () => {
    const keys = path.join(ran.folder, 'sample-keys.json')
    const { mode } = await stat(keys)
    await chmod(keys, 0o644)
    const { code, lines } = await doctor(here())
    await chmod(keys, mode)
    expect(lines).toContainEqual(line('warning', 'Data folder', 'sample-keys.json; chmod 600'))
    expect(lines).toContain('1 warning.')
    expect(code).toBe(0)
  })

  test('a project that is named is looked at as a stranger would, with its publishable key alone', async () => {
    const { publishableKey } = await (await fetch(`${stack.url}/config.json`)).json()
    const hosted = { SUPABASE_URL: stack.url, SUPABASE_PUBLISHABLE_KEY: publishableKey }
    const right = await doctor(hosted)
    expect(right.lines.filter((line) => line.includes('Hosted'))).toEqual([
      line('ok', 'Hosted project', 'Sign-ups are closed'),
      line('ok', 'Hosted project', 'update-rides runs, and refuses strangers'),
      line('ok', 'Hosted project', 'maintenance-use runs, and refuses strangers'),
      line('ok', 'Hosted project', 'Strangers read nothing'),
    ])
    expect(right.code).toBe(0)
    const wrong = await doctor({ ...hosted, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_another' })
    expect(wrong.lines).toContainEqual(line('problem', 'Hosted project', 'does not take the publishable key'))
    expect(wrong.code).toBe(1)
  })
})

/** A project that is as open and unfinished as the answers say, by path. */
async function examine(answers: Record<string, { status: number; body: unknown }>) {
  const { server, url } = await serve(({ url }, response) => {
    const found = Object.entries(answers).find(([path]) => url?.startsWith(path))
    const { status, body } = found?.[1] ?? { status: 401, body: { code: '42501' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const { code, lines } = await doctor({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'planted' })
  server.close()
  expect(code).toBe(1)
  return lines
}

describe('of a hosted project it is told', () => {
  const closed = { '/auth/v1/settings': { status: 200, body: { disable_signup: true } } }

  test('that sign-ups are open', async () => {
    const lines = await examine({ '/auth/v1/settings': { status: 200, body: { disable_signup: false } } })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'Sign-ups are open.+config push'))
  })

  test('that functions are missing, hidden behind verify_jwt, or do not start', async () => {
    const lines = await examine({
      ...closed,
      '/functions/v1/update-rides': { status: 404, body: { code: 'NOT_FOUND' } },
      '/functions/v1/maintenance-use': { status: 401, body: { code: 401 } },
    })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'update-rides is not there'))
    expect(lines).toContainEqual(
      line('problem', 'Hosted project', 'maintenance-use is kept from.+verify_jwt'),
    )
    const broken = await examine({
      ...closed,
      '/functions/v1/update-rides': { status: 503, body: { code: 'BOOT_ERROR' } },
    })
    expect(broken).toContainEqual(line('problem', 'Hosted project', 'update-rides answers 503 BOOT_ERROR'))
  })

  test('that anybody reads, or that there is nothing to read yet', async () => {
    const open = await examine({ ...closed, '/rest/v1/rides': { status: 200, body: [{ id: 1 }] } })
    expect(open).toContainEqual(line('problem', 'Hosted project', 'Anybody can read rides'))
    const empty = await examine({ ...closed, '/rest/v1/': { status: 404, body: { code: 'PGRST205' } } })
    expect(empty).toContainEqual(line('problem', 'Hosted project', 'There is no bikes, .+db push'))
  })

  test('that it cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, lines } = await doctor({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'planted' })
    expect(lines).toContainEqual(line('problem', 'Hosted project', 'cannot be reached'))
    expect(code).toBe(1)
  })
})

describe('of the packages it is told', () => {
  let project: Project
  beforeAll(async () => {
    project = await copyProject()
  })
  afterAll(() => project.remove())

  test('which are of another version', async () => {
    const file = path.join(project.root, 'package.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/"croner": "[^"]+"/, '"croner": "0.0.1"'))
    const { code, lines } = await doctor({}, project.root)
    expect(lines).toContainEqual(line('problem', 'Packages', 'wants: croner; run npm ci'))
    expect(code).toBe(1)
  })

  test('that there are none yet', async () => {
    await rm(path.join(project.root, 'node_modules'))
    const { code, output } = await doctor({}, project.root)
    expect(output).toBe('problem  Packages         are not installed; run npm ci.\n')
    expect(code).toBe(1)
  })
})
