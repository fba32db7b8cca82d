// A due task, and the browser's side of Web Push, with node:crypto instead of Web Crypto.
import { Buffer } from 'node:buffer'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import type { DueTask } from '../contracts/notifications.ts'
import type { Subscription, Vapid } from './push-request.ts'

export const WAX: DueTask = {
  id: 1,
  name: 'Wax',
  state: 'due',
  gear_id: 7,
  bike: 'Warbird',
  part_id: 2,
  item_name: 'Chain',
  axis: 'distance',
  used: { distance: 500_000, moving_time: 72_000, days: 40 },
  every: { distance: 482_700, moving_time: null, days: 60 },
  item_type: 'Drivetrain',
  fraction: 1.03,
  due_on: null,
  group: null,
  others: [],
}

export interface Browser {
  subscription: Subscription
  keys: ECDH
}

export function newBrowser(endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/abc'): Browser {
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys('base64url')
  return { keys, subscription: { endpoint, p256dh, auth: randomBytes(16).toString('base64url') } }
}

export function newVapid(): Vapid {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys('base64url')
  const privateKey = Buffer.from(keys.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  return { publicKey, privateKey, subject: 'mailto:owner@example.com' }
}

const derive = (secret: Uint8Array, from: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, from, info, length))

/** Decrypts a message as a browser does (RFC 8291). Throws if it was changed or is for another browser. */
export function decryptPush({ keys, subscription }: Browser, body: Uint8Array): string {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, 16)
  const keyEnd = 21 + bytes.readUInt8(20)
  const theirs = bytes.subarray(21, keyEnd)
  if (bytes.length - keyEnd > bytes.readUInt32BE(16))
    throw new Error('The record is longer than its header says.')

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs])
  const secret = derive(keys.computeSecret(theirs), Buffer.from(subscription.auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(bytes.subarray(-16))
  const content = Buffer.concat([cipher.update(bytes.subarray(keyEnd, -16)), cipher.final()])
  const end = content.lastIndexOf(2)
  if (end === -1) throw new Error('The last record has no end.')
  return content.subarray(0, end).toString()
}

const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

function jwkOf(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url')
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  return { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }
}

/** Converts a token's signature from two 32-byte numbers to DER, the only format that Deno on hosted projects can verify. */
function asDer(signature: Buffer): Buffer {
  const numbers = Buffer.concat([signature.subarray(0, 32), signature.subarray(32)].map(derInteger))
  return Buffer.concat([Buffer.from([48, numbers.length]), numbers])
}

function derInteger(bytes: Buffer): Buffer {
  const digits = bytes.subarray(bytes.findIndex((byte) => byte > 0))
  // A leading zero makes the number positive.
  const sign = Buffer.alloc(digits.readUInt8() > 127 ? 1 : 0)
  return Buffer.concat([Buffer.from([2, sign.length + digits.length]), sign, digits])
}

/** Reads the claims of a push request's `Authorization` (RFC 8292). Throws unless the key signed them. */
export function readToken(authorization: string | null, publicKey: string): Record<string, unknown> {
  const [, token, key] = /^vapid t=([^,]+), k=(\S+)$/.exec(authorization ?? '') ?? []
  if (!token || key !== publicKey) throw new Error(`Not signed by the tracker: ${authorization}`)
  const [header = '', claims = '', signature = ''] = token.split('.')
  const jwk = createPublicKey({ key: jwkOf(publicKey), format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  const isSigned =
    bytes.length === 64 && verify('sha256', Buffer.from(`${header}.${claims}`), jwk, asDer(bytes))
  if (!isSigned || decode(header)['alg'] !== 'ES256') throw new Error('The signature is wrong.')
  return decode(claims)
}
