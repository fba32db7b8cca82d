import { buildPushPayload } from '@block65/webcrypto-web-push'

/** A browser's push subscription. The keys are in base64url. */
export interface Subscription {
  endpoint: string
  /** The browser's P-256 public key. */
  p256dh: string
  /** The secret shared by the browser and the tracker. */
  auth: string
}

/** The tracker's keys for push services (RFC 8292), in base64url. */
export interface Vapid {
  publicKey: string
  privateKey: string
  /** The operator's contact for push services: an `https:` or `mailto:` URL. */
  subject: string
}

/** Creates the request that sends `text` to a browser, encrypted (RFC 8291). Push services store it for `ttl` seconds. */
export function pushRequest(
  text: string,
  { endpoint, p256dh, auth }: Subscription,
  vapid: Vapid,
  ttl: number,
): Promise<RequestInit> {
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } }
  return buildPushPayload({ data: text, options: { ttl } }, subscription, vapid)
}
