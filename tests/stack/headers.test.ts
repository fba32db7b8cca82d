import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('rejects other host names', async () => {
  for (const path of ['/', '/config.json', '/auth/v1/settings', '/functions/v1/update-rides']) {
    const sent = request(`${stack.url}${path}`, { headers: { host: 'rebound.example.com' } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(403)
  }
})
