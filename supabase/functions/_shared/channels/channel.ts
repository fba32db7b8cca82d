import type { ChannelName } from '../contracts/notifications.ts'
import type { LogFields } from '../log.ts'
import type { Message } from './message.ts'

/** A way to tell the owner. */
export interface Channel {
  name: ChannelName
  /** Where it sends, for the owner. Null: to browsers. */
  target: string | null
  /** Resolves to fields for the log. Rejects with a ChannelError if nobody got the message. */
  send(message: Message, signal: AbortSignal): Promise<LogFields>
}

/** A failure whose message is short, for the owner, and safe to log. */
export class ChannelError extends Error {}

export type Send = (url: string, init: RequestInit) => Promise<Response>

const MAX_MS = 5000

/** Returns the signal that ends a channel's requests, so a slow one doesn't hold up a sync. */
export const channelDeadline = () => AbortSignal.timeout(MAX_MS)

/** Sends a POST request without following redirects. Throws a ChannelError unless the status is 2xx. */
export async function postTo(url: string, init: RequestInit, send: Send = fetch): Promise<void> {
  const { status, ok } = await answerOf(url, init, send)
  // A redirect would lead to a host that the owner didn't name.
  if (status >= 300 && status < 400) throw new ChannelError(`${status}, which redirects`)
  if (!ok) throw new ChannelError(String(status))
}

/** Returns the response without its body. Throws a ChannelError if there is none. */
export async function answerOf(url: string, init: RequestInit, send: Send): Promise<Response> {
  try {
    const response = await send(url, { ...init, method: 'POST', redirect: 'manual' })
    await response.body?.cancel()
    return response
  } catch {
    throw new ChannelError(
      init.signal?.aborted ? `no answer within ${MAX_MS / 1000} seconds` : 'could not be reached',
    )
  }
}
