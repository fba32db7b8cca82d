import { Buffer } from 'node:buffer'

/** A browser's push subscription. The keys are in base64url. */
export interface Subscription {
  endpoint: string
  /** The browser's public key on P-256. */
  p256dh: string
  /** The secret that only the browser and the tracker share. */
  auth: string
}

/** The tracker's keys, which identify it to push services (RFC 8292). The keys are in base64url. */
export interface Vapid {
  publicKey: string
  privateKey: string
  /** How to reach whoever runs the tracker: a URL with `https:` or `mailto:`. */
  subject: string
}

export interface PushOptions {
  /** How long the push service keeps the message while the browser can't be reached, in seconds. */
  ttl: number
  /** Milliseconds. */
  now: number
}

/** The request that sends `text` to a browser, encrypted for that browser. */
export async function pushRequest(
  text: string,
  subscription: Subscription,
  vapid: Vapid,
  { ttl, now }: PushOptions,
): Promise<RequestInit> {
  const { origin } = new URL(subscription.endpoint)
  const token = await signToken(origin, vapid, now)
  return {
    method: 'POST',
    headers: {
      Authorization: `vapid t=${token}, k=${vapid.publicKey}`,
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(ttl),
    },
    body: await encrypt(text, subscription),
  }
}

const P256 = { namedCurve: 'P-256' }
const ECDH = { name: 'ECDH', ...P256 }
const ECDSA = { name: 'ECDSA', ...P256, hash: 'SHA-256' }
// Push services accept at most 24 hours. Half of that leaves room for clocks that are wrong.
const TOKEN_SECONDS = 12 * 3600
/** Push services accept bodies of this size. */
const RECORD_BYTES = 4096

/** A P-256 public key, as base64url of its uncompressed point, as a JSON Web Key. */
export function jwkOf(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url')
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  return { kty: 'EC', crv: P256.namedCurve, x: coordinate(1), y: coordinate(33) }
}

/** A token for one push service, signed with the tracker's key. */
async function signToken(audience: string, { publicKey, privateKey, subject }: Vapid, now: number) {
  const key = await crypto.subtle.importKey('jwk', { ...jwkOf(publicKey), d: privateKey }, ECDSA, false, [
    'sign',
  ])
  const claims = { aud: audience, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: subject }
  const content = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = await crypto.subtle.sign(ECDSA, key, Buffer.from(content))
  return `${content}.${Buffer.from(signature).toString('base64url')}`
}

/** What a message is encrypted with, besides the browser's keys. Both are only used once. */
export interface OneTime {
  keys: CryptoKeyPair
  salt: Uint8Array<ArrayBuffer>
}

async function newOneTime(): Promise<OneTime> {
  const keys = await crypto.subtle.generateKey(ECDH, false, ['deriveBits'])
  return { keys, salt: crypto.getRandomValues(new Uint8Array(16)) }
}

/** Encrypts for one browser: RFC 8291, as the only record of RFC 8188. Tests pass the example's `oneTime`. */
export async function encrypt(
  text: string,
  { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>,
  oneTime?: OneTime,
): Promise<Uint8Array<ArrayBuffer>> {
  const { keys, salt } = oneTime ?? (await newOneTime())
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = Buffer.from(await crypto.subtle.exportKey('raw', keys.publicKey))
  const theirKey = await crypto.subtle.importKey('raw', theirs, ECDH, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirKey }, keys.privateKey, 256)

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = await derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const keyBytes = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  // A 2 ends the last record.
  const content = Buffer.concat([Buffer.from(text), Buffer.from([2])])
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, content)

  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(ours.length, 4)
  return Uint8Array.from(Buffer.concat([salt, header, ours, Buffer.from(sealed)]))
}

async function derive(secret: ArrayBuffer, salt: BufferSource, info: BufferSource, bytes: number) {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8)
}
