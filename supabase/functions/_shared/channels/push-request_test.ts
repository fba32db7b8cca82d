import assert from 'node:assert/strict'
import { decryptPush, newBrowser, newVapid, readToken } from './testing.ts'
import { pushRequest } from './push-request.ts'

Deno.test('a browser decrypts the request, and its push service verifies it', async () => {
  const [browser, vapid] = [newBrowser(), newVapid()]
  const text = `Wax 🚲 ${'ü'.repeat(200)}`
  const request = await pushRequest(text, browser.subscription, vapid, 60)
  const headers = new Headers(request.headers)
  assert.equal(decryptPush(browser, request.body as Uint8Array), text)
  assert.deepEqual([headers.get('TTL'), headers.get('Content-Encoding')], ['60', 'aes128gcm'])
  const { aud, exp, sub } = readToken(headers.get('Authorization'), vapid.publicKey)
  assert.deepEqual([aud, sub], ['https://updates.push.services.mozilla.com', vapid.subject])
  // Push services accept tokens that are valid for at most 24 hours.
  const seconds = Number(exp) - Date.now() / 1000
  assert.ok(seconds > 3600 && seconds <= 24 * 3600)
})

Deno.test('rejects keys that are not on the curve', async () => {
  const { subscription } = newBrowser()
  await assert.rejects(pushRequest('x', { ...subscription, p256dh: `B${'A'.repeat(86)}` }, newVapid(), 60))
})
