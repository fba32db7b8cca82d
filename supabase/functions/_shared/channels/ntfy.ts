import { type Channel, postTo } from './channel.ts'
import type { Message } from './message.ts'

export interface Ntfy {
  /** The topic's URL. */
  url: string
  token: string | undefined
}

const TAGS: Record<Message['type'], string> = {
  'service_task.due': 'wrench',
  'sign_in.refused': 'warning',
  test: 'bike',
}

/** Publishes to a topic of ntfy. A tap on the notification opens `trackerUrl`. */
export function createNtfy({ url, token }: Ntfy, trackerUrl: string | undefined): Channel {
  const { host, pathname } = new URL(url)
  return {
    name: 'ntfy',
    target: `${host}${pathname}`,
    async send({ id, type, title, body }, signal) {
      const headers: Record<string, string> = {
        Title: title,
        Tags: TAGS[type],
        // From version 2.16 on, ntfy replaces a notification that arrives again.
        'X-Sequence-ID': id,
      }
      if (trackerUrl) headers['Click'] = trackerUrl
      if (token) headers['Authorization'] = `Bearer ${token}`
      await postTo(url, { headers, body, signal })
      return {}
    },
  }
}
