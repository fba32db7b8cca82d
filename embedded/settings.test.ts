import { expect, test } from 'vitest'
import { readSettings, StartError, whichAccount } from './settings.ts'

// Blanks out what a developer may have in supabase/functions/.env.
const noCredentials = {
  RWGPS_API_KEY: '',
  RWGPS_EMAIL: '',
  RWGPS_PASSWORD: '',
  RWGPS_AUTH_TOKEN: '',
  RWGPS_USER_ID: '',
  RWGPS_BASE_URL: '',
  SCHEDULE_KEY: '',
}
const read = (environment: Record<string, string>) =>
  readSettings({ ...noCredentials, ...environment }, { dev: false })

test('without any variable it is the sample, on port 5173, refreshed hourly', () => {
  expect(read({})).toMatchObject({
    port: 5173,
    account: 'sample',
    ownerEmail: 'owner@example.com',
    ownerPassword: 'password',
    syncCron: expect.stringMatching(/^\d+ \* \* \* \*$/),
  })
})

const complete = { RWGPS_API_KEY: 'k', RWGPS_EMAIL: 'e', RWGPS_PASSWORD: 'p' }

test.each([
  ['e-mail and password', complete],
  ['a token and a user id', { RWGPS_API_KEY: 'k', RWGPS_AUTH_TOKEN: 't', RWGPS_USER_ID: '1' }],
  ['both, of which one is whole', { ...complete, RWGPS_AUTH_TOKEN: 't' }],
])('%s mean a real account', (_, secrets) => {
  expect(whichAccount(secrets)).toBe('owner')
})

test('with a real account no password is known beforehand', () => {
  expect(read(complete).ownerPassword).toBeUndefined()
  expect(read({ ...complete, OWNER_PASSWORD: 'chosen' }).ownerPassword).toBe('chosen')
})

test.each([
  [{ RWGPS_API_KEY: 'k' }, 'RWGPS_EMAIL and RWGPS_PASSWORD are missing; set them in'],
  [{ RWGPS_EMAIL: 'e' }, 'RWGPS_API_KEY and RWGPS_PASSWORD are missing'],
  [{ RWGPS_EMAIL: 'e', RWGPS_PASSWORD: 'p' }, 'RWGPS_API_KEY is missing; set it in'],
  [{ RWGPS_API_KEY: 'k', RWGPS_AUTH_TOKEN: 't' }, 'RWGPS_USER_ID is missing'],
  [{ RWGPS_USER_ID: '1' }, 'RWGPS_API_KEY and RWGPS_AUTH_TOKEN are missing'],
])('of %j it says that %s, and never shows the sample', (secrets, words) => {
  expect(() => read(secrets)).toThrow(StartError)
  expect(() => read(secrets)).toThrow(words)
})

test('the address of Ride with GPS alone is no credential', () => {
  expect(read({ RWGPS_BASE_URL: 'http://127.0.0.1:1' }).account).toBe('sample')
})

test.each(['two words', ' key', 'key\n', 'ключ'])(
  'a schedule key that no header can carry is refused',
  (key) => {
    expect(() => read({ SCHEDULE_KEY: key })).toThrow(StartError)
    expect(() => read({ SCHEDULE_KEY: key })).not.toThrow(key)
    expect(read({ SCHEDULE_KEY: 'a+b/c=' }).functionSecrets.SCHEDULE_KEY).toBe('a+b/c=')
  },
)

test.each(['nonsense', 'ridewithgps.com', 'ftp://ridewithgps.com'])(
  'RWGPS_BASE_URL=%j is refused in one sentence',
  (url) => {
    expect(() => read({ ...complete, RWGPS_BASE_URL: url })).toThrow(StartError)
    expect(() => read({ ...complete, RWGPS_BASE_URL: url })).toThrow('RWGPS_BASE_URL has to be')
  },
)

test('an empty PORT is as good as none', () => {
  expect(read({ PORT: '' }).port).toBe(5173)
})

test.each(['0', '65536', '-1', 'x', '51.73', ' '])('PORT=%j is refused', (port) => {
  expect(() => read({ PORT: port })).toThrow('has to be a number from 1 to 65535')
})

test('an empty refresh cron means no schedule, and one that is none is refused', () => {
  expect(read({ RIDES_REFRESH_CRON: '' }).syncCron).toBeNull()
  expect(read({ RIDES_REFRESH_CRON: '*/5 * * * *' }).syncCron).toBe('*/5 * * * *')
  expect(() => read({ RIDES_REFRESH_CRON: 'soon' })).toThrow(StartError)
})
