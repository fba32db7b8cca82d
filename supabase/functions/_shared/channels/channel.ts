import type { Environment, Project } from '../http/environment.ts'
import type { Log, LogFields } from '../http/log.ts'
import type { Message } from './message.ts'
import type { Subscription } from './push-request.ts'

/** A way to tell the owner. To add one, write its module and add it to `list.ts`. */
export interface Channel {
  /** In the database, which stores what was sent. */
  name: string
  /** Its name for people. */
  label: string
  /** The variable that the owner sets to turn it on. Null: the owner turns it on in a browser. */
  switch: string | null
  /** All variables of the environment that it reads. */
  variables: readonly string[]
  /** Where it may send, as `host:port`. A host may start with `*.`. */
  hosts(environment: Environment): string[]
  /** Returns null if it isn't set up. Throws with what to change, without the variables' values. */
  read(environment: Environment): ChannelSettings | null
}

export interface ChannelSettings {
  /** Says where and how it sends, without secrets: `a webhook gets them at example.com, signed`. */
  about: string
  /** Texts that the log must not contain. */
  secrets: string[]
  open(context: ChannelContext): Pick<Sender, 'target' | 'send'>
}

export interface ChannelContext {
  project: Project
  /** Where a tap on a message leads. */
  trackerUrl: string | undefined
  subscriptions: Subscriptions
  log: Log
}

export interface Subscriptions {
  list(): Promise<Subscription[]>
  remove(endpoint: string): Promise<void>
}

/** A channel that is set up. */
export interface Sender {
  name: string
  label: string
  /** Where it sends, for the owner. Null: to browsers. */
  target: string | null
  /** Resolves to fields for the log. Rejects with a ChannelError if nobody got the message. */
  send(message: Message, signal: AbortSignal): Promise<LogFields>
}

/** Reads a channel's URL. Throws unless it is an HTTP address without credentials. */
export function readUrl(environment: Environment, name: string): URL | null {
  const value = environment(name)
  if (!value) return null
  // A URL without a scheme isn't completed: whether to send unencrypted is the owner's choice.
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null
  if (!url) throw new Error(`${name} must be a URL that starts with https:// or http://.`)
  if (url.username || url.password) throw new Error(`${name} must not contain a user name or password.`)
  return url
}

/** Returns the host and port of a variable's URL. */
export function hostsOf(environment: Environment, name: string): string[] {
  const value = environment(name)
  if (!value) return []
  const { hostname, port, protocol } = new URL(value)
  return [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]
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
