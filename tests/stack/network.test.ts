import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { StartError } from '../../embedded/settings.ts'
import { startWeb } from '../../embedded/web.ts'
import { signIn } from '../owner.ts'
import { prepareSample, type Prepared } from '../postgres.ts'
import { start, startAndWaitForExit, type Running } from '../running.ts'
import { command } from './commands.ts'

const PUBLIC = 'https://tracker.example.com'
const PASSWORD = 'a longer password'
const OPEN = { HOST: '0.0.0.0', PUBLIC_URL: PUBLIC }
const [LAN] = Object.values(networkInterfaces())
  .flat()
  .flatMap((found) => (found && !found.internal && found.family === 'IPv4' ? [found.address] : []))

let data: Prepared
let stack: Running
let port: string
let first: string

// Makes the sample, whose password is public, reachable from the network.
beforeAll(async () => {
  data = await prepareSample()
  first = (await startAndWaitForExit({ ...data.environment, ...OPEN })).output
  stack = await start({ ...data.environment, OWNER_PASSWORD: PASSWORD, ...OPEN })
  port = new URL(stack.url).port
})
afterAll(async () => {
  await stack.stop()
  await data.remove()
})

async function send(path: string, headers: OutgoingHttpHeaders, { body = '', host = '127.0.0.1' } = {}) {
  const method = body ? 'POST' : 'GET'
  const sent = request({ host, port, path, method, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, text: (await response.toArray()).join('') }
}

test.each([
  '/',
  '/config.json',
  '/icon.svg',
  '/not/there',
  '//',
  '//[',
  `/${'long'.repeat(100)}`,
  '/auth/v1/settings',
  '/auth/v1/verify?token=x&type=recovery',
  '/rest/v1/bikes',
  '/functions/v1/update-rides',
  '/functions/v1/not-there',
  '/embedded/v1/backup',
])('%s has strict security headers', async (path) => {
  const { headers } = await fetch(`${stack.url}${path}`, { redirect: 'manual' })
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';.* connect-src 'self';.* frame-ancestors 'none'$/,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('answers of Auth, the data API and the functions are never stored', async () => {
  const { publishableKey } = await (await fetch(`${stack.url}/config.json`)).json()
  const owner = await signIn(stack.url, { password: PASSWORD })
  const { data } = await owner.auth.getSession()
  const headers = { apikey: publishableKey, authorization: `Bearer ${data.session!.access_token}` }
  for (const [path, status] of [
    ['/auth/v1/user', 200],
    ['/auth/v1/settings', 200],
    ['/rest/v1/bikes', 200],
    ['/rest/v1/unknown', 404],
    ['/functions/v1/calendar/unknown.ics', 404],
    ['/functions/v1/garage', 405],
  ] as const) {
    const response = await fetch(`${stack.url}${path}`, { headers })
    expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, status, 'no-store'])
  }
  const { headers: refused } = await fetch(`${stack.url}/rest/v1/bikes`)
  expect(refused.get('cache-control')).toBe('no-store')
})

test('caches files with a hash in their name forever, but not the page or missing files', async () => {
  const page = await fetch(stack.url)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const [script] = /\/assets\/[\w-]+\.js/.exec(await page.text())!
  const asset = await fetch(`${stack.url}${script}`)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/assets/', '/assets/index-0000.js', '/config.json']) {
    const { headers } = await fetch(`${stack.url}${path}`)
    expect(headers.get('cache-control')).toMatch(/^no-(?:cache|store)$/)
  }
})

test.each(['http://127.0.0.1:9', 'http://localhost:9', 'https://example.com'])(
  'a page from %s cannot read the settings or a backup',
  async (origin) => {
    for (const path of ['/', '/config.json', '/embedded/v1/backup']) {
      const { headers } = await fetch(`${stack.url}${path}`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(null)
    }
  },
)

test('sends compressed copies of the client', async () => {
  const page = await fetch(stack.url)
  const assets = (await page.text()).match(/\/assets\/[\w-]+\.(?:js|css)/g)!
  for (const path of ['/', '/sw.js', '/icon.svg', '/manifest.webmanifest', ...assets]) {
    for (const encoding of ['br', 'gzip'])
      expect([path, encodingOf(await get(path, { 'accept-encoding': encoding }))]).toEqual([path, encoding])
  }
})

test('compresses data of 1 kB and more, but not Auth, whose responses contain tokens', async () => {
  const { data } = await (await signIn(stack.url, { password: PASSWORD })).auth.getSession()
  const { publishableKey } = (await (await fetch(`${stack.url}/config.json`)).json()) as {
    publishableKey: string
  }
  const headers = {
    apikey: publishableKey,
    authorization: `Bearer ${data.session!.access_token}`,
    'accept-encoding': 'gzip',
  }
  const rides = await get('/rest/v1/rides?select=*', headers)
  expect([rides.status, encodingOf(rides)]).toEqual([200, 'gzip'])
  expect(rides.headers.get('access-control-allow-origin')).toBe('*')
  const counted = await get('/rest/v1/rides?select=*&limit=10', { ...headers, prefer: 'count=exact' })
  expect([counted.status, encodingOf(counted)]).toEqual([206, 'gzip'])
  expect(await counted.json()).toHaveLength(10)
  const uncompressed = await get('/rest/v1/rides?select=*', { ...headers, 'accept-encoding': 'identity' })
  expect(encodingOf(uncompressed)).toBe(null)
  expect(uncompressed.headers.get('vary')).toBe('Accept-Encoding')
  expect(await uncompressed.json()).toEqual(await rides.json())
  expect(encodingOf(await get('/rest/v1/rides?select=id&limit=1', headers))).toBe(null)
  const due = await fetch(`${stack.url}/functions/v1/service-due`, { method: 'POST', headers, body: '{}' })
  expect(encodingOf(due)).toBe('gzip')
  expect(await due.json()).toMatchObject({ tasks: expect.arrayContaining([expect.anything()]) })

  const user = await get('/auth/v1/user', headers)
  expect(encodingOf(user)).toBe(null)
  expect((await user.text()).length).toBeGreaterThan(1024)
})

const get = (path: string, headers: Record<string, string>) => fetch(`${stack.url}${path}`, { headers })
const encodingOf = ({ headers }: Response) => headers.get('content-encoding')

test("refuses the sample's known password, and replaces it with OWNER_PASSWORD", async () => {
  expect(first).toMatch(
    /^Other devices could reach the tracker, and the sample's password is publicly known\. [^\n]+\.\n$/,
  )
  expect(stack.output()).toContain('The password is now OWNER_PASSWORD.')
  await expect(signIn(stack.url)).rejects.toThrow(/invalid/i)
  const owner = await signIn(stack.url, { password: PASSWORD })
  const short = await owner.auth.updateUser({ password: 'eleven char' })
  expect(short.error).toMatchObject({ status: 422, code: 'weak_password' })
  const { error } = await owner.auth.updateUser({ password: 'another long one' })
  expect(error).toBe(null)
  await stack.stop()

  // The tracker has recorded that the password is long enough, so it doesn't require a new password.
  stack = await start({ ...data.environment, PORT: port, OWNER_PASSWORD: PASSWORD, ...OPEN })
  expect(stack.output()).not.toContain('The password is now')
  expect(stack.output()).toContain('OWNER_PASSWORD was not used')
  await signIn(stack.url, { password: 'another long one' })
})

const config = async (host: string) => JSON.parse((await send('/config.json', { host })).text)

test('prints its addresses and answers only at them', async () => {
  expect(stack.output()).toContain(`Other devices: ${PUBLIC}\n`)
  expect(await config('tracker.example.com')).toMatchObject({ supabaseUrl: PUBLIC })
  expect(await config(`127.0.0.1:${port}`)).toMatchObject({ supabaseUrl: stack.url })
  for (const host of ['rebound.example.com', 'tracker.example.com.example.org', `10.255.255.1:${port}`]) {
    for (const path of ['/', '/config.json', '/healthz', '/auth/v1/settings', '/functions/v1/garage']) {
      const { status, text } = await send(path, { host })
      expect([status, text]).toEqual([
        403,
        expect.stringContaining(`doesn't answer at ${host}. Set PUBLIC_URL`),
      ])
    }
  }
  expect(stack.output().match(/This tracker doesn't answer at/g)).toHaveLength(1)
})

test('keeps idle connections open for longer than reverse proxies reuse them', async () => {
  const { headers } = await fetch(`${stack.url}/config.json`)
  expect(Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive')!)![1])).toBeGreaterThan(120)
})

test.runIf(LAN)('other devices can open it', async () => {
  expect(stack.output()).toContain(`Other devices: http://${LAN}:${port}\n`)
  const { status, text } = await send('/config.json', { host: `${LAN}:${port}` }, { host: LAN! })
  expect([status, JSON.parse(text)]).toEqual([
    200,
    expect.objectContaining({ supabaseUrl: `http://${LAN}:${port}` }),
  ])
  expect(text).not.toContain('demoAccount')
})

async function guess(headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const { publishableKey } = await (await fetch(`${stack.url}/config.json`)).json()
  const all = { apikey: publishableKey, 'content-type': 'application/json', ...headers }
  const body = JSON.stringify({ email: 'someone@example.com', password: 'a guess' })
  return (await send('/auth/v1/token?grant_type=password', all, { body })).status
}

const forwardedFor = (address: string) => ({ host: 'tracker.example.com', 'x-forwarded-for': address })

/** Guesses until it has to wait. Slow machines may check a password for longer than the first wait. */
async function guessUntilRefused(...callers: OutgoingHttpHeaders[]): Promise<void> {
  const refused = async () => (await Promise.all(callers.map(guess))).includes(429)
  for (let round = 0; round < 10; round++) if (await refused()) return
  throw new Error('Nobody had to wait.')
}

test('throttles password guesses for each caller of the proxy', async () => {
  await guessUntilRefused(forwardedFor('203.0.113.1'), forwardedFor('198.51.100.7, 203.0.113.1'))
  expect(await guess(forwardedFor('203.0.113.2'))).toBe(400)
})

test("callers of a proxy that doesn't name them are strangers, and the machine itself never waits for them", async () => {
  await guessUntilRefused({ host: 'tracker.example.com' }, forwardedFor('unknown'), {
    'x-forwarded-for': '203.0.113.30',
  })
  await signIn(stack.url, { password: 'another long one' })
  expect(stack.output().match(/A proxy doesn't say for whom it asks/g)).toHaveLength(1)
  const { output } = await command('doctor', [], { ...data.environment, PORT: port })
  expect(output).toMatch(/^warning +Tracker +A proxy doesn't say for whom it asks/m)
})

async function startFake({ host = '127.0.0.1', onUse = async () => undefined as unknown }) {
  const network = { port: await freePort(), host, publicUrl: undefined }
  const stop = await startWeb({
    network,
    dev: false,
    api: { fetch: async () => new Response() },
    isDatabaseUp: async () => true,
    functions: { use: (send) => onUse().then(() => send(stack.url)) },
    config: { publishableKey: '', rwgpsUrl: stack.url, sample: true, vapidPublicKey: '' },
    hasDemoAccount: async () => false,
    warn: () => undefined,
  })
  return { url: `http://127.0.0.1:${network.port}`, stop }
}

test('reports an address of another machine', async () => {
  await expect(startFake({ host: '203.0.113.1' })).rejects.toEqual(
    new StartError('HOST is 203.0.113.1, which is not an address of this machine.'),
  )
})

test('is healthy while a slow machine starts the functions', async () => {
  const slow = await startFake({ onUse: () => sleep(4000) })
  const response = await fetch(`${slow.url}/healthz`)
  await slow.stop()
  expect([response.status, await response.json()]).toEqual([
    200,
    { database: true, auth: true, functions: true },
  ])
})

test.each(['/', '/config.json'])('starts the functions when %s is loaded', async (file) => {
  const onUse = vi.fn<() => Promise<void>>(async () => undefined)
  const fake = await startFake({ onUse })
  await fetch(`${fake.url}/icon.svg`)
  expect(onUse).not.toHaveBeenCalled()
  await fetch(fake.url + file)
  expect(onUse).toHaveBeenCalledOnce()
  await fake.stop()
})
