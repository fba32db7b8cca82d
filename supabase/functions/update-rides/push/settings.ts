import { type Environment, type Project, required } from '../../_shared/environment.ts'
import type { Vapid } from './web-push.ts'

/** The keys for push services; null if there are none, so nobody is notified. Throws if one of the two is missing. */
export function readVapid(environment: Environment, project: Project): Vapid | null {
  if (!environment('VAPID_PUBLIC_KEY') && !environment('VAPID_PRIVATE_KEY')) return null
  return {
    publicKey: required(environment, 'VAPID_PUBLIC_KEY'),
    privateKey: required(environment, 'VAPID_PRIVATE_KEY'),
    subject: environment('VAPID_SUBJECT') || project.url,
  }
}

/** How to reach push services: directly, or, only for tests, all of them at PUSH_BASE_URL. */
export function readPushFetch(
  environment: Environment,
): (url: string, init: RequestInit) => Promise<Response> {
  const base = environment('PUSH_BASE_URL')
  return base ? (url, init) => fetch(new URL(new URL(url).pathname, base), init) : fetch
}
