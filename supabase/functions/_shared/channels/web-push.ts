import { required } from '../http/environment.ts'
import type { Log } from '../http/log.ts'
import {
  answerOf,
  type Channel,
  type ChannelSettings,
  ChannelError,
  hostsOf,
  type Send,
  type Subscriptions,
} from './channel.ts'
import { pushRequest, type Subscription, type Vapid } from './push-request.ts'

// The database rejects subscriptions to other push services.
const PUSH_SERVICES = [
  '*.googleapis.com:443',
  '*.google.com:443',
  '*.push.services.mozilla.com:443',
  '*.push.apple.com:443',
  '*.notify.windows.com:443',
]

/** Notifies the owner's browsers. `npm start` and `npm run deploy` create its keys. */
export const webPush: Channel = {
  name: 'web_push',
  label: 'Browsers',
  switch: null,
  // Tests set PUSH_BASE_URL to receive all requests.
  variables: ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT', 'PUSH_BASE_URL'],
  hosts: (environment) => [...hostsOf(environment, 'PUSH_BASE_URL'), ...PUSH_SERVICES],
  read(environment) {
    if (!environment('VAPID_PUBLIC_KEY') && !environment('VAPID_PRIVATE_KEY')) return null
    const keys = {
      publicKey: required(environment, 'VAPID_PUBLIC_KEY'),
      privateKey: required(environment, 'VAPID_PRIVATE_KEY'),
    }
    const base = environment('PUSH_BASE_URL')
    const send: Send = base ? (url, init) => fetch(new URL(new URL(url).pathname, base), init) : fetch
    return {
      about: 'Browsers get them',
      secrets: [keys.privateKey],
      open({ project, subscriptions, log }) {
        const vapid = { ...keys, subject: environment('VAPID_SUBJECT') || project.url }
        return createWebPush({ vapid, subscriptions, send, log })
      },
    }
  },
}

export interface WebPush {
  vapid: Vapid
  subscriptions: Subscriptions
  send: Send
  log: Log
}

// A due task stays due, so its notification is still accurate after a weekend offline.
const TTL_SECONDS = 3 * 24 * 3600

/**
 * Notifies the owner's browsers, and forgets those that are gone. Fails if no browser could be notified. If only some could,
 * the others aren't tried again, because that would notify the first ones twice.
 */
export function createWebPush({
  vapid,
  subscriptions,
  send,
  log,
}: WebPush): ReturnType<ChannelSettings['open']> {
  return {
    target: null,
    async send({ title, body }, signal) {
      const browsers = await subscriptions.list()
      if (browsers.length === 0) throw new ChannelError('notifications are off in all browsers')
      // src/worker/notifications.ts shows the title and the body.
      const text = JSON.stringify({ title, body })
      const results = await Promise.all(browsers.map((browser) => notify(browser, text, signal)))
      const count = (result: Result) => results.filter((each) => each === result).length
      const [sent, gone, failed] = [count('sent'), count('gone'), count('failed')]
      if (sent === 0 && failed > 0) throw new ChannelError('push services could not be reached')
      return { sent, gone, failed }
    },
  }

  type Result = 'sent' | 'gone' | 'failed'
  async function notify(browser: Subscription, text: string, signal: AbortSignal): Promise<Result> {
    const service = new URL(browser.endpoint).hostname
    try {
      const request = await pushRequest(text, browser, vapid, TTL_SECONDS)
      const { ok, status } = await answerOf(browser.endpoint, { ...request, signal }, send)
      if (ok) return 'sent'
      if (status === 404 || status === 410) {
        await subscriptions.remove(browser.endpoint)
        return 'gone'
      }
      log.error('push_refused', { service, status })
    } catch (error) {
      log.error('push_failed', { service, error: (error as Error).message })
    }
    return 'failed'
  }
}
