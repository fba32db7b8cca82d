import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'

let stack: Running
beforeAll(async () => {
  stack = await startSample()
})
afterAll(() => stack.stop())

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
  const owner = await signIn(stack.url)
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
  const { data } = await (await signIn(stack.url)).auth.getSession()
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

test('rejects other host names', async () => {
  for (const path of ['/', '/config.json', '/auth/v1/settings', '/functions/v1/update-rides']) {
    const sent = request(`${stack.url}${path}`, { headers: { host: 'rebound.example.com' } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(403)
  }
})
