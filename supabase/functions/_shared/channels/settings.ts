import { Buffer } from 'node:buffer'
import { type Environment, type Project, required } from '../environment.ts'
import type { Send } from './channel.ts'
import type { Ntfy } from './ntfy.ts'
import type { Vapid } from './push-request.ts'
import type { Webhook } from './webhook.ts'

/** Reads the VAPID keys. Returns null, which disables Web Push, if both are missing. Throws if only one is missing. */
export function readVapid(environment: Environment, project: Project): Vapid | null {
  if (!environment('VAPID_PUBLIC_KEY') && !environment('VAPID_PRIVATE_KEY')) return null
  return {
    publicKey: required(environment, 'VAPID_PUBLIC_KEY'),
    privateKey: required(environment, 'VAPID_PRIVATE_KEY'),
    subject: environment('VAPID_SUBJECT') || project.url,
  }
}

/** Returns the fetch for push services. Tests set PUSH_BASE_URL to receive all requests. */
export function readPushFetch(environment: Environment): Send {
  const base = environment('PUSH_BASE_URL')
  return base ? (url, init) => fetch(new URL(new URL(url).pathname, base), init) : fetch
}

/** Reads NTFY_URL and NTFY_TOKEN. Returns null if they aren't set. Throws with what to change, without their values. */
export function readNtfy(environment: Environment): Ntfy | null {
  const url = readUrl(environment, 'NTFY_URL')
  const token = environment('NTFY_TOKEN') || undefined
  if (token !== undefined && !/^[!-~]+$/.test(token))
    throw new Error('NTFY_TOKEN may only contain ASCII letters, digits and punctuation, without spaces.')
  if (url === null) {
    if (token !== undefined) throw new Error('NTFY_TOKEN needs NTFY_URL, the URL of a topic.')
    return null
  }
  if (url.pathname === '/')
    throw new Error('NTFY_URL must end with a topic, as in https://ntfy.sh/my-bikes-7f3k.')
  return { url: url.href, token }
}

// Padding is optional.
const SIGNING_KEY = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/

/** Reads WEBHOOK_URL and WEBHOOK_SECRET. Returns null if they aren't set. Throws with what to change, without their values. */
export function readWebhook(environment: Environment): Webhook | null {
  const url = readUrl(environment, 'WEBHOOK_URL')
  const secret = environment('WEBHOOK_SECRET') || undefined
  const [, base64] = SIGNING_KEY.exec(secret ?? '') ?? []
  if (secret !== undefined && !base64)
    throw new Error(
      'WEBHOOK_SECRET must be whsec_ and a key in base64, such as from openssl rand -base64 32.',
    )
  if (url === null) {
    if (secret !== undefined) throw new Error('WEBHOOK_SECRET needs WEBHOOK_URL.')
    return null
  }
  return { url: url.href, key: base64 ? Buffer.from(base64, 'base64') : null }
}

// A URL without a scheme isn't completed: whether to send unencrypted is the owner's choice.
function readUrl(environment: Environment, name: string): URL | null {
  const value = environment(name)
  if (!value) return null
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null
  if (!url) throw new Error(`${name} must be a URL that starts with https:// or http://.`)
  if (url.username || url.password) throw new Error(`${name} must not contain a user name or password.`)
  return url
}
