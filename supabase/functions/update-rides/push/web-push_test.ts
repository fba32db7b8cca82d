import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { decryptPush, newBrowser, newVapid, readToken } from './testing.ts'
import { encrypt, jwkOf, pushRequest } from './web-push.ts'

/** Section 5 of RFC 8291. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  ourPublicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  ourPrivateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

Deno.test('encrypts the example of RFC 8291 to the same bytes', async () => {
  const { ourPublicKey, ourPrivateKey, salt } = EXAMPLE
  const ecdh = { name: 'ECDH', namedCurve: 'P-256' }
  const jwk = jwkOf(ourPublicKey)
  const keys = {
    publicKey: await crypto.subtle.importKey('jwk', jwk, ecdh, true, []),
    privateKey: await crypto.subtle.importKey('jwk', { ...jwk, d: ourPrivateKey }, ecdh, false, [
      'deriveBits',
    ]),
  }
  const body = await encrypt(EXAMPLE.text, EXAMPLE, {
    keys,
    salt: Uint8Array.from(Buffer.from(salt, 'base64url')),
  })
  assert.equal(Buffer.from(body).toString('base64url'), EXAMPLE.body)
})

Deno.test('a browser decrypts the request, and its push service verifies it', async () => {
  const [browser, vapid] = [newBrowser(), newVapid()]
  const now = Date.parse('2026-11-21T12:00:00Z')
  const text = `Wax 🚲 ${'ü'.repeat(200)}`
  const request = await pushRequest(text, browser.subscription, vapid, { ttl: 60, now })
  const headers = new Headers(request.headers)
  assert.equal(decryptPush(browser, request.body as Uint8Array), text)
  assert.deepEqual([headers.get('TTL'), headers.get('Content-Encoding')], ['60', 'aes128gcm'])
  assert.deepEqual(readToken(headers.get('Authorization'), vapid.publicKey), {
    aud: 'https://updates.push.services.mozilla.com',
    exp: now / 1000 + 12 * 3600,
    sub: vapid.subject,
  })
})

Deno.test('every message has its own keys and salt', async () => {
  const { subscription } = newBrowser()
  const bodies = await Promise.all([1, 2].map(() => encrypt('same', subscription)))
  const parts = (start: number, end: number) =>
    new Set(bodies.map((body) => Buffer.from(body).subarray(start, end).toString('hex')))
  assert.equal(parts(0, 16).size, 2)
  assert.equal(parts(21, 86).size, 2)
})

Deno.test('rejects keys that are not on the curve', async () => {
  const { subscription } = newBrowser()
  await assert.rejects(encrypt('x', { ...subscription, p256dh: `B${'A'.repeat(86)}` }))
})
