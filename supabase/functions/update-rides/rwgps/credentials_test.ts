import assert from 'node:assert/strict'
import { readBaseUrl, readCredentials, secretsOf } from './credentials.ts'

const from = (table: Record<string, string>) => (name: string) => table[name]

const owner = { RWGPS_API_KEY: 'key', RWGPS_EMAIL: 'rider@example.com', RWGPS_PASSWORD: 'pass' }
const token = { RWGPS_API_KEY: 'key', RWGPS_AUTH_TOKEN: 'token', RWGPS_USER_ID: '7' }

Deno.test('reads email and password, or a token and its user id', () => {
  assert.deepEqual(readCredentials(from(owner)), {
    apiKey: 'key',
    email: 'rider@example.com',
    password: 'pass',
  })
  assert.deepEqual(readCredentials(from(token)), { apiKey: 'key', authToken: 'token', userId: '7' })
})

Deno.test('uses the complete set of variables', () => {
  const { RWGPS_USER_ID: _, ...tokenOnly } = token
  assert.deepEqual(readCredentials(from({ ...owner, ...tokenOnly })), readCredentials(from(owner)))
  assert.deepEqual(
    readCredentials(from({ ...token, RWGPS_EMAIL: 'a@example.com' })),
    readCredentials(from(token)),
  )
})

for (const [set, name] of [
  ...Object.keys(owner).map((name) => [owner, name] as const),
  [token, 'RWGPS_API_KEY'] as const,
  [token, 'RWGPS_USER_ID'] as const,
]) {
  Deno.test(`throws without ${name} out of ${Object.keys(set).join(', ')}`, () => {
    assert.throws(() => readCredentials(from({ ...set, [name]: '' })), new RegExp(name))
  })
}

Deno.test('everything except the user id is secret', () => {
  assert.deepEqual(secretsOf(readCredentials(from(owner))), ['key', 'rider@example.com', 'pass'])
  assert.deepEqual(secretsOf(readCredentials(from(token))), ['key', 'token'])
})

Deno.test('uses ridewithgps.com unless RWGPS_BASE_URL is set', () => {
  assert.equal(readBaseUrl(from({})), 'https://ridewithgps.com')
  assert.equal(readBaseUrl(from({ RWGPS_BASE_URL: 'http://127.0.0.1:7' })), 'http://127.0.0.1:7')
  for (const url of ['ridewithgps.com', 'ftp://ridewithgps.com', '/']) {
    assert.throws(() => readBaseUrl(from({ RWGPS_BASE_URL: url })), /RWGPS_BASE_URL/)
  }
})
