import type { Client } from '../../lib/backend.ts'
import type { Config } from '../../lib/config.ts'
import { toAppError, unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

/** Whether the feed has a link. */
export async function hasFeed(client: Client): Promise<boolean> {
  return unwrap(await client.rpc('has_calendar_feed'))
}

/** Makes `token` the only one that opens the feed; null closes it. Resolves to whether the feed has a link. */
export function setToken(client: Client, token: string | null): Promise<boolean> {
  const write = async () => unwrap(await client.rpc('set_calendar_token', token === null ? {} : { token }))
  return settleWrite(write, write)
}

/** 256 random bits in base64url. Only this page ever knows them: the database stores a hash. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

/** The address of the feed. */
export function feedUrl({ supabaseUrl }: Config, token: string): string {
  return `${supabaseUrl}/functions/v1/calendar/${token}.ics`
}

/** Reads the feed's file. */
export async function readFeed(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw toAppError({ message: '', status: response.status })
  return response.text()
}

/** Whether calendars elsewhere can't reach the tracker, because it only answers on this computer. */
export function isOnlyHere({ supabaseUrl }: Config): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(new URL(supabaseUrl).hostname)
}
