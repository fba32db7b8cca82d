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
])('%s is answered under the strict policy', async (path) => {
  const { headers } = await fetch(`${stack.url}${path}`, { redirect: 'manual' })
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';.* connect-src 'self';.* frame-ancestors 'none'$/,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('files with a digest in their names are kept for ever; the page is not, nor what is not there', async () => {
  const page = await fetch(stack.url)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const [script] = /\/assets\/[\w-]+\.js/.exec(await page.text())!
  const kept = await fetch(`${stack.url}${script}`)
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/assets/', '/assets/index-0000.js', '/config.json']) {
    const { headers } = await fetch(`${stack.url}${path}`)
    expect(headers.get('cache-control')).toMatch(/^no-(?:cache|store)$/)
  }
})

test.each(['http://127.0.0.1:9', 'http://localhost:9', 'https://example.com'])(
  'a page of %s reads neither the settings nor a backup',
  async (origin) => {
    for (const path of ['/', '/config.json', '/embedded/v1/backup']) {
      const { headers } = await fetch(`${stack.url}${path}`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(null)
    }
  },
)

test('a foreign name that leads here is refused', async () => {
  for (const path of ['/', '/config.json', '/auth/v1/settings', '/functions/v1/update-rides']) {
    const asked = request(`${stack.url}${path}`, { headers: { host: 'rebound.example.com' } }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(403)
  }
})
