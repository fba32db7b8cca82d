import { Buffer } from 'node:buffer'
import type { DueLimit, DueTask } from '../contracts/notifications.ts'
import { limitName } from '../messages/wear-limits.ts'
import { type Channel, hostsOf, postTo, readUrl } from './channel.ts'

// Padding is optional.
const SIGNING_KEY = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/

/** Posts JSON, signed according to Standard Webhooks if there is a key. */
export const webhook: Channel = {
  name: 'webhook',
  label: 'Webhook',
  switch: 'WEBHOOK_URL',
  variables: ['WEBHOOK_URL', 'WEBHOOK_SECRET'],
  hosts: (environment) => hostsOf(environment, 'WEBHOOK_URL'),
  read(environment) {
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
    const key = base64 ? Buffer.from(base64, 'base64') : null
    return {
      about: `A webhook gets them at ${url.host}, ${key ? 'signed' : 'not signed'}`,
      secrets: [url.href],
      open: ({ trackerUrl }) => ({
        // Paths of webhooks are often secret.
        target: url.host,
        async send({ id, type, timestamp, title, body: text, tasks, limits }, signal) {
          const data = {
            title,
            text,
            url: trackerUrl ?? null,
            tasks: tasks.map(asInApi),
            limits: limits.map(limitInApi),
          }
          const body = JSON.stringify({ type, timestamp, data })
          const sentAt = String(Math.floor(Date.now() / 1000))
          const headers: Record<string, string> = {
            'Content-Type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': sentAt,
          }
          if (key) headers['webhook-signature'] = `v1,${await sign(`${id}.${sentAt}.${body}`, key)}`
          await postTo(url.href, { headers, body, signal })
          return {}
        },
      }),
    }
  },
}

/** Returns a task with the names that the API uses. */
const asInApi = ({ gear_id, item_name, ...task }: DueTask) => ({ ...task, bike_id: gear_id, part: item_name })

const limitInApi = ({ gear_id, item_id, item_name, last_open: _last_open, ...limit }: DueLimit) => ({
  ...limit,
  name: limitName(limit),
  bike_id: gear_id,
  entry_id: item_id,
  part: item_name,
})

async function sign(content: string, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content))
  return Buffer.from(signature).toString('base64')
}
