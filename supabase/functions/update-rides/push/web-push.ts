import { buildPushPayload } from '@block65/webcrypto-web-push'

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

/** The request that sends `text` to a browser, encrypted for that browser (RFC 8291). Push services keep it for `ttl` seconds. */
export function pushRequest(
  text: string,
  { endpoint, p256dh, auth }: Subscription,
  vapid: Vapid,
  ttl: number,
): Promise<RequestInit> {
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } }
  return buildPushPayload({ data: text, options: { ttl } }, subscription, vapid)
}
