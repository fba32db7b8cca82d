import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { DueTask } from '../contracts/notifications.ts'
import { type Channel, postTo } from './channel.ts'

export interface Webhook {
  url: string
  /** Null: requests aren't signed. */
  key: Uint8Array | null
}

/** Posts JSON, signed according to Standard Webhooks. */
export function createWebhook({ url, key }: Webhook, trackerUrl: string | undefined): Channel {
  return {
    name: 'webhook',
    // Paths of webhooks are often secret.
    target: new URL(url).host,
    async send({ id, type, timestamp, title, body: text, tasks }, signal) {
      const data = { title, text, url: trackerUrl ?? null, tasks: tasks.map(asInApi) }
      const body = JSON.stringify({ type, timestamp, data })
      const sentAt = String(Math.floor(Date.now() / 1000))
      const headers: Record<string, string> = {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': sentAt,
      }
      if (key) headers['webhook-signature'] = `v1,${sign(`${id}.${sentAt}.${body}`, key)}`
      await postTo(url, { headers, body, signal })
      return {}
    },
  }
}

/** Returns a task with the names that the API uses. */
const asInApi = ({ gear_id, item_name, ...task }: DueTask) => ({ ...task, bike_id: gear_id, part: item_name })

const sign = (content: string, key: Uint8Array) =>
  createHmac('sha256', Buffer.from(key)).update(content).digest('base64')
