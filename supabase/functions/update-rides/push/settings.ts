import { type Environment, type Project, required } from '../../_shared/environment.ts'
import type { Vapid } from './web-push.ts'

/** Reads the VAPID keys. Returns null, which disables notifications, if both are missing. Throws if only one is missing. */
export function readVapid(environment: Environment, project: Project): Vapid | null {
  if (!environment('VAPID_PUBLIC_KEY') && !environment('VAPID_PRIVATE_KEY')) return null
  return {
    publicKey: required(environment, 'VAPID_PUBLIC_KEY'),
    privateKey: required(environment, 'VAPID_PRIVATE_KEY'),
    subject: environment('VAPID_SUBJECT') || project.url,
  }
}

/** Returns the fetch for push services. Tests set PUSH_BASE_URL to receive all requests. */
export function readPushFetch(
  environment: Environment,
): (url: string, init: RequestInit) => Promise<Response> {
  const base = environment('PUSH_BASE_URL')
  return base ? (url, init) => fetch(new URL(new URL(url).pathname, base), init) : fetch
}
