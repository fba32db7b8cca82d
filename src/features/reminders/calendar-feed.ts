import { backendAtom, type Client } from '../../lib/backend.ts'
import type { Config } from '../../lib/config.ts'
import { toAppError } from '../../lib/errors.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { write } from '../../lib/writes.ts'

export const hasFeed = (client: Client) => callSql(client, 'has_calendar_feed', {})

/** Whether the calendar feed has a link. */
export const hasFeedAtom = resourceAtom({ reads: [], cacheAs: 'calendar-feed' }, (get) =>
  hasFeed(get(backendAtom).client),
)

/** Makes `token` the feed's only valid token; null closes the feed. Resolves to whether the feed has a link. */
export function setToken(client: Client, token: string | null): Promise<boolean> {
  return write(client, 'set_calendar_token', token === null ? {} : { token })
}

/** Creates a token of 256 random bits in base64url. Only this page has it, because the database stores a hash. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

export function feedUrl({ supabaseUrl }: Config, token: string): string {
  return `${supabaseUrl}/functions/v1/calendar/${token}.ics`
}

export async function readFeed(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw toAppError({ message: '', status: response.status })
  return response.text()
}

/** Returns whether only this computer can reach the tracker, so calendars on other devices can't. */
export function isOnlyHere({ supabaseUrl }: Config): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(new URL(supabaseUrl).hostname)
}
