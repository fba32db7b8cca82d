import assert from 'node:assert/strict'
import { createAuth } from './auth.ts'

const PROJECT = { url: 'http://localhost:1', publishableKey: 'sb_publishable_test' }

const encode = (part: unknown) => btoa(JSON.stringify(part)).replaceAll('=', '')
const soon = () => Math.floor(Date.now() / 1000) + 600

function token(claims: object = {}, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const payload = { sub: 'a-rider', role: 'authenticated', exp: soon(), ...claims }
  return `${encode(header)}.${encode(payload)}.c2lnbmF0dXJl`
}

function authServer(valid: string) {
  const paths: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    paths.push(new URL(request.url).pathname)
    if (request.url.endsWith('/jwks.json')) return Promise.resolve(Response.json({ keys: [] }))
    const isValid = request.headers.get('Authorization') === `Bearer ${valid}`
    return Promise.resolve(
      isValid
        ? Response.json({ id: 'a-rider', aud: 'authenticated' })
        : Response.json({ code: 403, error_code: 'bad_jwt', msg: 'invalid JWT' }, { status: 403 }),
    )
  }
  return { fetch, paths }
}

const down: typeof globalThis.fetch = () => Promise.reject(new TypeError('connection refused'))

Deno.test('accepts a token that Auth accepts', async () => {
  const valid = token()
  assert.equal(await createAuth(PROJECT, authServer(valid).fetch).isSignedIn(valid), true)
})

const invalidTokens = {
  'a token with an unknown signature': token({ sub: 'someone-else' }),
  'a token without a signature': `${token({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
  'a token with the algorithm "none"': token({}, { alg: 'none' }),
  'a token with the algorithm "none" and a key id': token({}, { alg: 'none', kid: 'a-key' }),
  'a token signed with a key that the project does not have': token({}, { alg: 'ES256', kid: 'a-key' }),
  'a token without an algorithm': token({}, {}),
  'the publishable key': PROJECT.publishableKey,
  'text with two dots': 'not.a.token',
}
for (const [name, invalid] of Object.entries(invalidTokens)) {
  Deno.test(`rejects ${name}`, async () => {
    assert.equal(await createAuth(PROJECT, authServer(token()).fetch).isSignedIn(invalid), false)
  })
}

Deno.test('rejects a token that expired or never expires, even if Auth accepts it', async () => {
  for (const exp of [Math.floor(Date.now() / 1000) - 1, undefined]) {
    const expired = token({ exp })
    assert.equal(await createAuth(PROJECT, authServer(expired).fetch).isSignedIn(expired), false)
  }
})

Deno.test('accepts only the role "authenticated"', async () => {
  for (const role of ['anon', 'service_role', undefined]) {
    const other = token({ role })
    assert.equal(await createAuth(PROJECT, authServer(other).fetch).isSignedIn(other), false)
  }
})

Deno.test('throws if the Auth server fails', async () => {
  await assert.rejects(createAuth(PROJECT, down).isSignedIn(token()))
  for (const status of [500, 502, 503]) {
    const broken = () => Promise.resolve(Response.json({ msg: 'failed' }, { status }))
    await assert.rejects(createAuth(PROJECT, broken).isSignedIn(token()), `${status}`)
  }
})
