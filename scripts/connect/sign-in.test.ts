import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { StartError } from '../../embedded/settings.ts'
import { PLANTED, startRideWithGps, type RideWithGps } from '../../tests/sync/ride-with-gps.ts'
import { signIn } from './sign-in.ts'

let rwgps: RideWithGps
beforeAll(async () => {
  rwgps = await startRideWithGps()
})
afterEach(() => rwgps.reset())
afterAll(() => rwgps.close())

test.each([
  ['refuses the API key', { status: 401, body: '{"error":"Invalid api key"}' }, 'refused the API key'],
  [
    'refuses the password',
    { status: 401, body: '{"error":"please provide a valid username/password"}' },
    'the email or the password',
  ],
  ['returns no user', { status: 200, body: '{"user":null}' }, 'the email or the password'],
  ['refuses something', { status: 401, body: '' }, 'Check the API key, the email and the password'],
  ['limits requests', { status: 429, headers: { 'retry-after': '3600' } }, 'limits requests'],
  ['is another server', { status: 200, body: '<html>' }, 'something unexpected'],
] as const)('if Ride with GPS %s, explains it', async (_, fault, message) => {
  rwgps.behavior.always.user = fault
  const failure = await signIn({ RWGPS_BASE_URL: rwgps.url }, PLANTED).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartError)
  expect(String(failure)).toMatch(/^[^\n]+ Nothing was changed\.$/)
  expect(String(failure)).toContain(message)
  expect(String(failure)).not.toContain('planted')
})

test('explains that there is no network', async () => {
  const nowhere = { RWGPS_BASE_URL: `http://127.0.0.1:${await freePort()}` }
  await expect(signIn(nowhere, PLANTED)).rejects.toThrow('cannot be reached. Check the network')
})

const MB = 2 ** 20

test('reads only the beginning of a long refusal', async () => {
  let sent = 0
  function* refusal() {
    const chunk = Buffer.alloc(MB, 'password ')
    for (; sent < 64 * MB; sent += MB) yield chunk
  }
  const server = createServer((_, response) => {
    Readable.from(refusal()).pipe(response.writeHead(401))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(
    signIn({ RWGPS_BASE_URL: origin }, { apiKey: 'key', email: 'a@b.c', password: 'p' }),
  ).rejects.toThrow(
    `${origin} refused the sign-in. Check the API key, the email and the password. Nothing was changed.`,
  )
  server.close()
  server.closeAllConnections()
  expect(sent).toBeLessThan(32 * MB)
})
