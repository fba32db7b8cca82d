import assert from 'node:assert/strict'
import { readBaseUrl, readCredentials, secretsOf } from './credentials.ts'

const from = (table: Record<string, string>) => (name: string) => table[name]

const owner = { RWGPS_API_KEY: 'key', RWGPS_EMAIL: 'rider@example.com', RWGPS_PASSWORD: 'pass' }
const token = { RWGPS_API_KEY: 'key', RWGPS_AUTH_TOKEN: 'token', RWGPS_USER_ID: '7' }

Deno.test('an account is e-mail and password, or a token and its user', () => {
  assert.deepEqual(readCredentials(from(owner)), {
    apiKey: 'key',
    email: 'rider@example.com',
    password: 'pass',
  })
  assert.deepEqual(readCredentials(from(token)), { apiKey: 'key', authToken: 'token', userId: '7' })
})

Deno.test('of the two, the whole one is used', () => {
  const { RWGPS_USER_ID: _, ...halfToken } = token
  assert.deepEqual(readCredentials(from({ ...owner, ...halfToken })), readCredentials(from(owner)))
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
  Deno.test(`the start stops without ${name} beside ${Object.keys(set).join(', ')}`, () => {
    assert.throws(() => readCredentials(from({ ...set, [name]: '' })), new RegExp(name))
  })
}

Deno.test('all but the user’s number is secret', () => {
  assert.deepEqual(secretsOf(readCredentials(from(owner))), ['key', 'rider@example.com', 'pass'])
  assert.deepEqual(secretsOf(readCredentials(from(token))), ['key', 'token'])
})

Deno.test('Ride with GPS is at its own address unless another one is given', () => {
  assert.equal(readBaseUrl(from({})), 'https://ridewithgps.com')
  assert.equal(readBaseUrl(from({ RWGPS_BASE_URL: 'http://127.0.0.1:7' })), 'http://127.0.0.1:7')
  for (const url of ['ridewithgps.com', 'ftp://ridewithgps.com', '/']) {
    assert.throws(() => readBaseUrl(from({ RWGPS_BASE_URL: url })), /RWGPS_BASE_URL/)
  }
})
