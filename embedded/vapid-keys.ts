import { generateKeyPairSync } from 'node:crypto'

/** Creates the P-256 keys that identify the tracker to push services, in base64url: an uncompressed point and its scalar. */
export function createVapidKeys(): { publicKey: string; privateKey: string } {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const point = [Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d! }
}
