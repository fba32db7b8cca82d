import { atom } from 'jotai'

import { backendAtom, type Client } from '../../lib/backend.ts'
import { runCommand } from '../../lib/commands.ts'
import { AppError } from '../../lib/errors.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { newUuid } from '../../lib/writes.ts'

const DENIED =
  'The browser didn’t allow notifications. Allow them in its settings for this site, then try again.'
const NOT_READY = 'This page isn’t ready for notifications yet. Reload it, then try again.'
const NO_SERVICE =
  'The browser could not reach its push service. Private windows don’t support notifications, and some browsers have a setting for them.'

/** Whether this browser gets notifications. */
export const isPushOnAtom = resourceAtom({ reads: [], cacheAs: 'push' }, async (get) => {
  const { client, config } = get(backendAtom)
  const subscription = await currentSubscription()
  if (!subscription || !hasKey(subscription, config.vapidPublicKey ?? '')) return false
  return callSql(client, 'has_push_subscription', { endpoint: subscription.endpoint })
})

/** Asks for permission and turns on notifications in this browser. Call it from a click handler. */
export const turnOnAtom = atom(null, async (get, set) => {
  if ((await Notification.requestPermission()) !== 'granted') throw new AppError('explained', DENIED)
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) throw new AppError('explained', NOT_READY)
  const { vapidPublicKey = '' } = get(backendAtom).config
  const subscription = await subscribe(registration.pushManager, vapidPublicKey)
  const { endpoint, keys = {} } = subscription.toJSON()
  const row = { endpoint: endpoint ?? '', p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' }
  try {
    await runCommand(get, set, 'add_push_subscription', row, newUuid())
  } catch (cause) {
    await subscription.unsubscribe()
    throw cause
  }
  await set(isPushOnAtom.reloadAtom)
})

/** Turns off notifications in this browser. */
export const turnOffAtom = atom(null, async (get, set) => {
  const subscription = await currentSubscription()
  if (subscription) {
    const { endpoint } = subscription
    await runCommand(get, set, 'remove_push_subscription', { endpoint }, newUuid())
    await subscription.unsubscribe()
  }
  await set(isPushOnAtom.reloadAtom)
})

const SIGN_OUT_MS = 3000

/**
 * Turns off notifications at sign-out. Ignores failed requests and waits only briefly. If the tracker can't be reached,
 * the push service rejects the next notification, and the tracker removes the subscription then.
 */
export async function forgetBrowser(client: Client): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  const timeout = AbortSignal.timeout(SIGN_OUT_MS)
  const over = new Promise((resolve) => timeout.addEventListener('abort', resolve))
  const requests = [
    callSql(client, 'run_command', { command: 'remove_push_subscription', arguments: { endpoint } }, timeout),
    subscription.unsubscribe(),
  ]
  // Requests first wait for a session refresh, which the timeout doesn't cancel.
  await Promise.race([Promise.allSettled(requests), over])
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const { serviceWorker } = navigator as Partial<Navigator>
  const registration = await serviceWorker?.getRegistration()
  const { pushManager } = (registration ?? {}) as Partial<ServiceWorkerRegistration>
  return (await pushManager?.getSubscription()) ?? null
}

/** Returns the subscription with this key. Replaces a subscription with an earlier installation's key. */
async function subscribe(pushManager: PushManager, vapidKey: string): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription()
  if (existing && hasKey(existing, vapidKey)) return existing
  await existing?.unsubscribe()
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey })
  } catch {
    throw new AppError('explained', NO_SERVICE)
  }
}

function hasKey({ options }: PushSubscription, vapidKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const key = btoa(String.fromCharCode(...bytes))
  return key.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === vapidKey
}
