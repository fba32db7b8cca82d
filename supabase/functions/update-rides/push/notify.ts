import * as v from 'valibot'
import { describeError, type Log } from '../../_shared/log.ts'
import { pushRequest, type Subscription, type Vapid } from './web-push.ts'

const DueTask = v.object({
  name: v.string(),
  /** Null for a bike's task. */
  item_name: v.nullable(v.string()),
  bike: v.nullable(v.string()),
})
export type DueTask = v.InferOutput<typeof DueTask>

export const Notification = v.object({
  /** Tasks that became due. Null: Ride with GPS refused the sign-in. */
  tasks: v.nullable(v.array(DueTask)),
  subscriptions: v.array(v.object({ endpoint: v.string(), p256dh: v.string(), auth: v.string() })),
})

/** The notification payload, which src/worker/notifications.ts displays. */
export interface Digest {
  title: string
  body: string
}

export interface NotificationStore {
  /** Returns each notification only once. Null: nothing to send. */
  claim(signal: AbortSignal): Promise<v.InferOutput<typeof Notification> | null>
  remove(endpoint: string, signal: AbortSignal): Promise<void>
}

/** Notifies the owner's browsers. Never rejects: a failed notification must not fail the sync. */
export type Notify = () => Promise<void>

export interface Dependencies {
  store: NotificationStore
  vapid: Vapid
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Returns the signal that limits the total time of all requests. */
  deadline: () => AbortSignal
  log: Log
}

// A due task stays due, so its notification is still accurate after a weekend offline.
const TTL_SECONDS = 3 * 24 * 3600

/** Claims tasks first, so none are announced twice. Failed notifications aren't retried; the app shows due tasks anyway. */
export function createNotify({ store, vapid, fetch, deadline, log }: Dependencies): Notify {
  return async () => {
    try {
      const signal = deadline()
      const claimed = await store.claim(signal)
      if (claimed === null) return
      const text = JSON.stringify(digestOf(claimed.tasks))
      const results = await Promise.all(claimed.subscriptions.map((each) => send(text, each, signal)))
      const count = (result: Result) => results.filter((each) => each === result).length
      log.info('notified', {
        tasks: claimed.tasks?.length ?? 0,
        sent: count('sent'),
        gone: count('gone'),
        failed: count('failed'),
      })
    } catch (error) {
      log.error('notification_failed', describeError(error))
    }
  }

  type Result = 'sent' | 'gone' | 'failed'
  async function send(text: string, subscription: Subscription, signal: AbortSignal): Promise<Result> {
    const service = new URL(subscription.endpoint).hostname
    try {
      const request = await pushRequest(text, subscription, vapid, TTL_SECONDS)
      const response = await fetch(subscription.endpoint, { ...request, signal, redirect: 'error' })
      await response.body?.cancel()
      if (response.ok) return 'sent'
      if (response.status === 404 || response.status === 410) {
        await store.remove(subscription.endpoint, signal)
        return 'gone'
      }
      log.error('push_refused', { service, status: response.status })
    } catch (error) {
      log.error('push_failed', { service, ...describeError(error) })
    }
    return 'failed'
  }
}

// The text names no command, because the right one depends on where the tracker runs.
const REFUSED = {
  title: 'Ride with GPS refused the sign-in',
  body: 'Rides no longer sync. Connect your account again.',
}

const MAX_TASKS = 5
const MAX_NAME = 40

/** Returns, for example, `2 tasks due` and `Wax (Chain, Warbird), Sealant (Tire, Domane)`. */
export function digestOf(tasks: readonly DueTask[] | null): Digest {
  if (tasks === null) return REFUSED
  const named = tasks.slice(0, MAX_TASKS).map(({ name, item_name, bike }) => {
    const place = [item_name, bike].filter((each) => each !== null).map(short)
    return `${short(name)}${place.length > 0 ? ` (${place.join(', ')})` : ''}`
  })
  const more = tasks.length - named.length
  return {
    title: tasks.length === 1 ? '1 task due' : `${tasks.length} tasks due`,
    body: [...named, ...(more > 0 ? [`${more} more`] : [])].join(', '),
  }
}

function short(name: string): string {
  const letters = Array.from(name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : letters.join('')
}
