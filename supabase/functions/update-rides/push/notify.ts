import * as v from 'valibot'
import { describeError, type Log } from '../../_shared/log.ts'
import { pushRequest, type Subscription, type Vapid } from './web-push.ts'

const DueTask = v.object({
  name: v.string(),
  /** The part; null for a task of a bike. */
  item_name: v.nullable(v.string()),
  bike: v.nullable(v.string()),
})
export type DueTask = v.InferOutput<typeof DueTask>

/** The news, and the browsers to notify. */
export const Notification = v.object({
  /** The tasks that became due. Null: Ride with GPS refused the sign-in. */
  tasks: v.nullable(v.array(DueTask)),
  subscriptions: v.array(v.object({ endpoint: v.string(), p256dh: v.string(), auth: v.string() })),
})

/** What a browser shows: src/worker/notifications.ts. */
export interface Digest {
  title: string
  body: string
}

export interface NotificationStore {
  /** Returns all news only once; null: nothing to send. */
  claim(signal: AbortSignal): Promise<v.InferOutput<typeof Notification> | null>
  /** Removes a browser that is gone. */
  remove(endpoint: string, signal: AbortSignal): Promise<void>
}

/** Sends the owner's browsers what is new after a sync. Never rejects: a sync doesn't depend on it. */
export type Notify = () => Promise<void>

export interface Dependencies {
  store: NotificationStore
  vapid: Vapid
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Aborted when everything took too long. */
  deadline: () => AbortSignal
  log: Log
}

// A task that became due stays due, for example, so the news is still true after a weekend without a connection.
const TTL_SECONDS = 3 * 24 * 3600

/**
 * Each task is claimed before it is sent, so no failure announces a task twice. One that couldn't be sent isn't tried
 * again; the app shows what is due in any case.
 */
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

// The function doesn't know where it runs, so this doesn't name a command.
const REFUSED = {
  title: 'Ride with GPS refused the sign-in',
  body: 'Rides no longer sync. Connect your account again.',
}

const MAX_TASKS = 5
const MAX_NAME = 40

/** `2 tasks due`, `Wax (Chain, Warbird), Sealant (Tire, Domane)`. */
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

/** One line of limited length. */
function short(name: string): string {
  const letters = Array.from(name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : letters.join('')
}
