import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { countRows, signIn } from '../owner.ts'
import { BLANK_ENVIRONMENT, type Exit, start, temporaryFolder, type Running } from '../running.ts'
import {
  PLANTED,
  SIGN_IN,
  SIGN_IN_BY_TOKEN,
  startRideWithGps,
  type RideWithGps,
} from '../sync/ride-with-gps.ts'
import { trips } from '../sync/trips.ts'
import { copyProject, type Project } from './project.ts'
import { hasTerminal, openTerminal } from './terminal.ts'

let project: Project
let rwgps: RideWithGps
let folder: string
let remove: () => Promise<void>
let running: Running | undefined
beforeAll(async () => {
  ;[project, rwgps] = await Promise.all([copyProject(), startRideWithGps()])
})
beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  await writeSecrets(`RWGPS_BASE_URL=${rwgps.url}\n`)
})
afterEach(async () => {
  await running?.stop('SIGKILL')
  running = undefined
  rwgps.reset()
  await remove()
})
afterAll(() => Promise.all([project.remove(), rwgps.close()]))

const secretsFile = () => path.join(project.root, 'supabase/functions/.env')
const writeSecrets = (text: string) => writeFile(secretsFile(), text)
const readSecrets = () => readFile(secretsFile(), 'utf8')
const dataFolder = () => path.join(folder, 'data')

/** Omits the secrets file's variables, because even an empty variable overrides the file. */
function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const names = Object.keys(BLANK_ENVIRONMENT)
  const others = Object.entries(process.env).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(others), TRACKER_DATA_DIR: dataFolder(), ...more }
}

function connect(input: string, more: Record<string, string> = {}, args: string[] = []) {
  return new Promise<Exit & { errors: string }>((resolve) => {
    const options = { cwd: project.root, env: environment(more) }
    const child = execFile(
      process.execPath,
      ['scripts/connect.ts', ...args],
      options,
      (error, output, errors) => resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
    child.stdin!.end(input)
  })
}

const lines = ({ apiKey, email, password } = PLANTED) => `${apiKey}\n${email}\n${password}\n`
const SAVED = [
  `RWGPS_API_KEY='${PLANTED.apiKey}'`,
  `RWGPS_AUTH_TOKEN=${PLANTED.token}`,
  `RWGPS_USER_ID=${SIGN_IN_BY_TOKEN.RWGPS_USER_ID}`,
  '',
].join('\n')

function argumentsOfProcesses(): string {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        // The process has ended.
        return ''
      }
    })
    .join('\n')
}

async function filesWith(secret: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(secret)))
  expect(files.length).toBeGreaterThan(100)
  return files.filter((_, index) => found[index])
}

test('asks on a terminal, stores the password nowhere, and syncs with the token', async (context) => {
  if (!hasTerminal) context.skip('This test needs script from util-linux.')
  const others = `# My notes\nRWGPS_BASE_URL=${rwgps.url}\n\nSCHEDULE_KEY="abc"`
  await writeSecrets(
    `RWGPS_API_KEY=old\nexport RWGPS_PASSWORD='old\nsecret'\n${others}\nRWGPS_EMAIL=old@example.com`,
  )
  await chmod(secretsFile(), 0o644)
  rwgps.behavior.gear = [{ id: 1, nickname: 'Road' }, { id: 2 }]
  rwgps.behavior.trips = trips(4)
  const processes: string[] = []
  rwgps.behavior.hold = () => Promise.resolve(processes.push(argumentsOfProcesses()))

  const terminal = openTerminal('npm run --silent connect', project.root, environment())
  await terminal.answer('API key: ', PLANTED.apiKey)
  await terminal.answer('Email: ', PLANTED.email)
  // Types a wrong character and deletes it.
  await terminal.answer('Password: ', `planted?\u007F${PLANTED.password.slice('planted'.length)}`)
  expect(await terminal.ended).toBe(0)
  const screen = terminal.screen()
  expect(screen).toMatch(/ridewithgps\.com: account settings[^]*API key: [^]*Email: [^]*Password: \r?\n/)
  expect(screen).toMatch(/Found 2 bikes\.\r\nSaved RWGPS_API_KEY, [^]*\/\.env\.\r\nNext: run npm start\r\n$/)
  expect(screen).not.toMatch(/p.ssword" #/)
  expect(await readSecrets()).toBe(`${others}\n${SAVED}`)
  expect((await stat(secretsFile())).mode & 0o777).toBe(0o600)
  expect(rwgps.requests.map(({ by }) => by)).toEqual(['password'])

  running = await start({
    ...parseEnv(await readSecrets()),
    TRACKER_DATA_DIR: dataFolder(),
    OWNER_PASSWORD: 'password',
  })
  const owner = await signIn(running.url)
  const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
  expect([data?.status, await countRows(owner, 'rides')]).toEqual(['ok', 4])
  expect(new Set(rwgps.requests.slice(1).map(({ by }) => by))).toEqual(new Set(['token']))

  // Reconnecting the same account renews its token. A different account is refused, whether or not a tracker is running.
  const renewed = await connect(lines())
  expect([renewed.code, renewed.output.split('\n').at(-2)]).toEqual([
    0,
    'Next: restart the tracker: its service, or stop it with Ctrl-C and run npm start',
  ])
  rwgps.behavior.rider = 7
  for (const stop of [false, true]) {
    if (stop) await running.stop()
    const refused = await connect(lines())
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.errors).toMatch(
      /user 7, but [^]* user 33854\. To switch, run npm run switch-account first\./,
    )
    expect(await readSecrets()).toBe(`${others}\n${SAVED}`)
  }

  expect(processes.join()).toContain('connect')
  for (const password of [PLANTED.password, 'old\nsecret']) {
    expect(processes.join()).not.toContain(password)
    expect(running.output() + renewed.output + renewed.errors).not.toContain(password)
    expect(await filesWith(password)).toEqual([])
  }
})

test('hides a password that is pasted with the other answers, and changes nothing on Ctrl-C', async (context) => {
  if (!hasTerminal) context.skip('This test needs script from util-linux.')
  const pasted = openTerminal('node scripts/connect.ts', project.root, environment())
  await pasted.answer('API key: ', lines().trimEnd().replaceAll('\n', '\r'))
  expect(await pasted.ended).toBe(0)
  expect(pasted.screen()).toContain(PLANTED.email)
  expect(pasted.screen()).not.toContain('ssword" #')

  await writeSecrets('')
  const stopped = openTerminal('node scripts/connect.ts', project.root, environment())
  await stopped.answer('API key: ', PLANTED.apiKey)
  await stopped.answer('Email: ', '\u0003')
  expect(await stopped.ended).toBe(1)
  expect(stopped.screen()).toMatch(/Nothing was changed\.\r\n$/)
  expect(await readSecrets()).toBe('')
})

test('without a terminal, needs every answer', async () => {
  const { code, errors } = await connect(`${PLANTED.apiKey}\n${PLANTED.email}`)
  expect([code, errors]).toEqual([1, expect.stringMatching(/^Enter the password\. Without a terminal, set /)])
  expect(rwgps.requests).toEqual([])
  expect(await readSecrets()).toBe(`RWGPS_BASE_URL=${rwgps.url}\n`)
})

test('prints the credentials for a hosted project with --print', async () => {
  const before = await readSecrets()
  const printed = await connect('', SIGN_IN, ['--print'])
  expect(printed).toEqual({ code: 0, output: SAVED, errors: 'Signed in. Found 0 bikes.\n' })
  expect(parseEnv(printed.output)).toEqual(SIGN_IN_BY_TOKEN)
  expect(await readSecrets()).toBe(before)
})

test('names environment variables that override the file', async () => {
  const { code, output } = await connect(lines(), { ...SIGN_IN, RWGPS_AUTH_TOKEN: '', RWGPS_USER_ID: '7' })
  expect([code, output]).toEqual([
    0,
    expect.stringContaining('overrides the file: unset RWGPS_AUTH_TOKEN and RWGPS_USER_ID before'),
  ])
})
