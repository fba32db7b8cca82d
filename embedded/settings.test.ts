import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHANNEL_VARIABLES, misplacedSettings, readSettings, StartError, whichAccount } from './settings.ts'

// Overrides a developer's supabase/functions/.env.
const noCredentials = {
  RWGPS_API_KEY: '',
  RWGPS_EMAIL: '',
  RWGPS_PASSWORD: '',
  RWGPS_AUTH_TOKEN: '',
  RWGPS_USER_ID: '',
  RWGPS_BASE_URL: '',
  SCHEDULE_KEY: '',
  NTFY_URL: '',
  NTFY_TOKEN: '',
  WEBHOOK_URL: '',
  WEBHOOK_SECRET: '',
}
const read = (environment: Record<string, string>) =>
  readSettings({ ...noCredentials, ...environment }, { dev: false })

test('defaults to the sample on port 5173 and a quick check every ten minutes', () => {
  expect(read({})).toMatchObject({
    port: 5173,
    account: 'sample',
    ownerEmail: 'owner@example.com',
    ownerPassword: 'password',
    syncCron: '7-59/10 * * * *',
  })
})

const complete = { RWGPS_API_KEY: 'k', RWGPS_EMAIL: 'e', RWGPS_PASSWORD: 'p' }

test.each([
  ['an email and password', complete],
  ['a token and a user id', { RWGPS_API_KEY: 'k', RWGPS_AUTH_TOKEN: 't', RWGPS_USER_ID: '1' }],
  ['a complete email and password and an incomplete token', { ...complete, RWGPS_AUTH_TOKEN: 't' }],
])('%s selects the real account', (_, secrets) => {
  expect(whichAccount(secrets)).toBe('owner')
})

test('a real account has no default password', () => {
  expect(read(complete).ownerPassword).toBeUndefined()
  expect(read({ ...complete, OWNER_PASSWORD: 'chosen' }).ownerPassword).toBe('chosen')
})

test.each([
  [{ RWGPS_API_KEY: 'k' }, 'RWGPS_EMAIL and RWGPS_PASSWORD are missing. Set them in'],
  [{ RWGPS_EMAIL: 'e' }, 'RWGPS_API_KEY and RWGPS_PASSWORD are missing'],
  [{ RWGPS_EMAIL: 'e', RWGPS_PASSWORD: 'p' }, 'RWGPS_API_KEY is missing. Set it in'],
  [{ RWGPS_API_KEY: 'k', RWGPS_AUTH_TOKEN: 't' }, 'RWGPS_USER_ID is missing'],
  [{ RWGPS_USER_ID: '1' }, 'RWGPS_API_KEY and RWGPS_AUTH_TOKEN are missing'],
])('rejects %j: %s', (secrets, message) => {
  expect(() => read(secrets)).toThrow(StartError)
  expect(() => read(secrets)).toThrow(message)
})

test('RWGPS_BASE_URL is not a credential', () => {
  expect(read({ RWGPS_BASE_URL: 'http://127.0.0.1:1' }).account).toBe('sample')
})

test.each(['two words', ' key', 'key\n', 'ключ'])(
  'rejects the schedule key %j, which is not a valid header',
  (key) => {
    expect(() => read({ SCHEDULE_KEY: key })).toThrow(StartError)
    expect(() => read({ SCHEDULE_KEY: key })).not.toThrow(key)
    expect(read({ SCHEDULE_KEY: 'a+b/c=' }).functionSecrets.SCHEDULE_KEY).toBe('a+b/c=')
  },
)

test.each(['nonsense', 'ridewithgps.com', 'ftp://ridewithgps.com'])('rejects RWGPS_BASE_URL=%j', (url) => {
  expect(() => read({ ...complete, RWGPS_BASE_URL: url })).toThrow(StartError)
  expect(() => read({ ...complete, RWGPS_BASE_URL: url })).toThrow('RWGPS_BASE_URL must be')
})

test.each([
  [{ NTFY_URL: 'ntfy.sh/planted' }, 'NTFY_URL must be a URL that starts with https:// or http://.'],
  [{ WEBHOOK_URL: 'https://a.example', WEBHOOK_SECRET: 'planted' }, 'WEBHOOK_SECRET must be whsec_ and'],
])('rejects %j without repeating it', (variables, message) => {
  expect(() => read(variables)).toThrow(StartError)
  expect(() => read(variables)).toThrow(message)
  expect(() => read(variables)).not.toThrow(/planted/)
})

test('an empty PORT means the default', () => {
  expect(read({ PORT: '' }).port).toBe(5173)
})

test.each(['0', '65536', '-1', 'x', '51.73', ' '])('rejects PORT=%j', (port) => {
  expect(() => read({ PORT: port })).toThrow('must be a number from 1 to 65535')
})

test('an empty RIDES_REFRESH_CRON means no schedule, and an invalid one is rejected', () => {
  expect(read({ RIDES_REFRESH_CRON: '' }).syncCron).toBeNull()
  expect(read({ RIDES_REFRESH_CRON: '*/5 * * * *' }).syncCron).toBe('*/5 * * * *')
  expect(() => read({ RIDES_REFRESH_CRON: 'soon' })).toThrow(StartError)
})

test.each([
  ['', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['::', '::'],
  ['192.168.1.5', '192.168.1.5'],
])('HOST=%j listens on %s', (HOST, expected) => {
  expect(read({ HOST }).host).toBe(expected)
})

test.each(['tracker.local', '192.168.1', '192.168.1.5:5173', 'http://192.168.1.5', '*', '0'])(
  'rejects HOST=%s',
  (HOST) => {
    expect(() => read({ HOST })).toThrow(
      new StartError(
        `HOST is "${HOST}". It must be an IP address of this machine, or 0.0.0.0 for all of them.`,
      ),
    )
  },
)

test.each([
  ['', undefined],
  ['https://tracker.example.com', 'https://tracker.example.com'],
  ['https://Tracker.example.com/', 'https://tracker.example.com'],
  ['http://192.168.1.5:5173', 'http://192.168.1.5:5173'],
])('PUBLIC_URL=%j is the origin %s', (PUBLIC_URL, expected) => {
  expect(read({ PUBLIC_URL }).publicUrl).toBe(expected)
})

test.each([
  'tracker.example.com',
  'ftp://tracker.example.com',
  'https://tracker.example.com/bikes',
  'https://tracker.example.com/?a=b',
  'https://ann:secret@tracker.example.com',
  'https://',
])('rejects PUBLIC_URL=%s without repeating it', (PUBLIC_URL) => {
  expect(() => read({ PUBLIC_URL })).toThrow(
    /^PUBLIC_URL must be an address such as https:\/\/tracker\.example\.com, /,
  )
})

test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://tracker.example.com' }])(
  'with %j, the sample has no known password and short ones are rejected',
  (open) => {
    expect(read(open).ownerPassword).toBeUndefined()
    expect(read({ ...open, OWNER_PASSWORD: 'twelve chars' }).ownerPassword).toBe('twelve chars')
    expect(() => read({ ...open, OWNER_PASSWORD: 'eleven char' })).toThrow(/needs at least 12 characters/)
    expect(() => read({ ...open, OWNER_PASSWORD: 'password' })).toThrow(/needs at least 12 characters/)
  },
)

test('names settings that the file of secrets does not set', () => {
  expect(misplacedSettings({ HOST: '0.0.0.0' }, { PORT: '5174', HOST: '::', RWGPS_API_KEY: 'k' })).toBe(
    'PORT in supabase/functions/.env has no effect. Set it in the environment.',
  )
  expect(misplacedSettings({}, { OWNER_PASSWORD: 'secret', PORT: '' })).toBe(
    'PORT and OWNER_PASSWORD in supabase/functions/.env have no effect. Set them in the environment.',
  )
  expect(misplacedSettings({}, { NTFY_URL: 'https://ntfy.sh/bikes' })).toBeNull()
})

test('compose.yaml passes on the variables of all channels', () => {
  const passed = new Set(
    readFileSync('compose.yaml', 'utf8')
      .match(/^ +- (\w+)$/gm)
      ?.map((line) => line.trim().slice(2)),
  )
  expect([...CHANNEL_VARIABLES, 'SCHEDULE_KEY'].filter((name) => !passed.has(name))).toEqual([])
})
