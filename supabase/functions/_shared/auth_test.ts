import assert from 'node:assert/strict'
import { createAuth } from './auth.ts'

const PROJECT = { url: 'http://localhost:1', publishableKey: 'sb_publishable_test' }

const encode = (part: unknown) => btoa(JSON.stringify(part)).replaceAll('=', '')
const soon = () => Math.floor(Date.now() / 1000) + 600

/** A token as its bearer would send it; whether its signature is good is for Auth to say. */
function token(claims: object = {}, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const payload = { sub: 'a-rider', role: 'authenticated', exp: soon(), ...claims }
  return `${encode(header)}.${encode(payload)}.c2lnbmF0dXJl`
}

/** An Auth server that vouches for one token alone, publishes no keys, and counts the questions. */
function authServer(good: string) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    asked.push(new URL(request.url).pathname)
    if (request.url.endsWith('/jwks.json')) return Promise.resolve(Response.json({ keys: [] }))
    const isGood = request.headers.get('Authorization') === `Bearer ${good}`
    return Promise.resolve(
      isGood
        ? Response.json({ id: 'a-rider', aud: 'authenticated' })
        : Response.json({ code: 403, error_code: 'bad_jwt', msg: 'invalid JWT' }, { status: 403 }),
    )
  }
  return { fetch, asked }
}

const down: typeof globalThis.fetch = () => Promise.reject(new TypeError('connection refused'))

Deno.test('a token that Auth vouches for is signed in', async () => {
  const good = token()
  assert.equal(await createAuth(PROJECT, authServer(good).fetch).isSignedIn(good), true)
})

const strangers = {
  'a token with a foreign signature': token({ sub: 'somebody-else' }),
  'a token without a signature': `${token({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
  'a token of the algorithm "none"': token({}, { alg: 'none' }),
  'a token of the algorithm "none" that names a key': token({}, { alg: 'none', kid: 'a-key' }),
  'a token signed with a key that the project does not have': token({}, { alg: 'ES256', kid: 'a-key' }),
  'a token without an algorithm': token({}, {}),
  'the publishable key': PROJECT.publishableKey,
  'three words with dots': 'not.a.token',
}
for (const [what, stranger] of Object.entries(strangers)) {
  Deno.test(`${what} is not signed in`, async () => {
    assert.equal(await createAuth(PROJECT, authServer(token()).fetch).isSignedIn(stranger), false)
  })
}

Deno.test('an expired token, or one that never expires, is not signed in, whatever Auth says', async () => {
  for (const exp of [Math.floor(Date.now() / 1000) - 1, undefined]) {
    const expired = token({ exp })
    assert.equal(await createAuth(PROJECT, authServer(expired).fetch).isSignedIn(expired), false)
  }
})

Deno.test('a token of another role than a signed-in user is not signed in', async () => {
  for (const role of ['anon', 'service_role', undefined]) {
    const other = token({ role })
    assert.equal(await createAuth(PROJECT, authServer(other).fetch).isSignedIn(other), false)
  }
})

Deno.test('an Auth server that cannot answer is an error, not a stranger', async () => {
  await assert.rejects(createAuth(PROJECT, down).isSignedIn(token()))
  for (const status of [500, 502, 503]) {
    const broken = () => Promise.resolve(Response.json({ msg: 'out of order' }, { status }))
    await assert.rejects(createAuth(PROJECT, broken).isSignedIn(token()), `${status}`)
  }
})
