import type { Claimed } from '../contracts/notifications.ts'
import { formatsFor } from '../formats/formats.ts'
import { describeError, type Log } from '../http/log.ts'
import { DEFAULT_SETTINGS } from '../formats/settings.ts'
import { channelDeadline, ChannelError, type Sender } from './channel.ts'
import { type Message, messageOf } from './message.ts'

export interface NotificationStore {
  /** Returns the messages to send. Each one is only returned again if it failed, for a day. */
  claim(channels: string[]): Promise<Claimed>
  /** Records that a message was sent, or the error. `message` is undefined for tests. */
  finish(channel: string, error: string | null, message?: string): Promise<void>
}

/** Sends what has become due to all channels. Never rejects: a failed notification must not fail the sync. */
export type Notify = () => Promise<void>

export interface Dependencies {
  channels: readonly Sender[]
  store: NotificationStore
  log: Log
  deadline?: () => AbortSignal
}

export function createNotify(dependencies: Dependencies): Notify {
  const { channels, store, log } = dependencies
  return async () => {
    try {
      const claimed = channels.length > 0 ? await store.claim(channels.map(({ name }) => name)) : []
      const sent = claimed.map(
        async ({ channel: name, message: id, announced_at: timestamp, settings, ...due }) => {
          const channel = channels.find((each) => each.name === name)
          if (channel)
            await deliver(
              dependencies,
              channel,
              messageOf(due, formatsFor(settings ?? DEFAULT_SETTINGS), { id, timestamp }),
              id,
            )
        },
      )
      await Promise.all(sent)
    } catch (error) {
      log.error('notification_failed', describeError(error))
    }
  }
}

/** Sends one message and records whether that worked. */
export async function deliver(
  { store, log, deadline = channelDeadline }: Dependencies,
  channel: Sender,
  message: Message,
  claimed?: string,
): Promise<void> {
  const { name } = channel
  const failure = await channel.send(message, deadline()).then(
    (fields) => {
      log.info('notified', { tasks: message.tasks.length + message.limits.length, ...fields, channel: name })
      return null
    },
    (error) => {
      log.error('notification_failed', { channel: name, ...describeError(error) })
      return error instanceof ChannelError ? error.message : 'an unexpected error'
    },
  )
  await store.finish(name, failure, claimed)
}
