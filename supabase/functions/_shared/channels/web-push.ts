import type { Log } from '../log.ts'
import { answerOf, type Channel, ChannelError, type Send } from './channel.ts'
import { pushRequest, type Subscription, type Vapid } from './push-request.ts'

export interface Subscriptions {
  list(): Promise<Subscription[]>
  remove(endpoint: string): Promise<void>
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
export function createWebPush({ vapid, subscriptions, send, log }: WebPush): Channel {
  return {
    name: 'web_push',
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
