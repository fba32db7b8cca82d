import { type Channel, hostsOf, postTo, readUrl } from './channel.ts'
import type { Message } from './message.ts'

const TAGS: Record<Message['type'], string> = {
  'service_task.due': 'wrench',
  'sign_in.refused': 'warning',
  test: 'bike',
}

/** Publishes to a topic of ntfy. A tap on the notification opens the tracker. */
export const ntfy: Channel = {
  name: 'ntfy',
  label: 'ntfy',
  switch: 'NTFY_URL',
  variables: ['NTFY_URL', 'NTFY_TOKEN'],
  hosts: (environment) => hostsOf(environment, 'NTFY_URL'),
  read(environment) {
    const url = readUrl(environment, 'NTFY_URL')
    const token = environment('NTFY_TOKEN') || undefined
    if (token !== undefined && !/^[!-~]+$/.test(token))
      throw new Error('NTFY_TOKEN may only contain ASCII letters, digits and punctuation, without spaces.')
    if (url === null) {
      if (token !== undefined) throw new Error('NTFY_TOKEN needs NTFY_URL, the URL of a topic.')
      return null
    }
    const { host, pathname, href } = url
    if (pathname === '/')
      throw new Error('NTFY_URL must end with a topic, as in https://ntfy.sh/my-bikes-7f3k.')
    return {
      // A topic is often secret.
      about: `ntfy gets them at ${host}`,
      secrets: [href, token ?? ''],
      open: ({ trackerUrl }) => ({
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
          await postTo(href, { headers, body, signal })
          return {}
        },
      }),
    }
  },
}
