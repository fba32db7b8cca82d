import type { Config } from '../../lib/config.ts'
import { toAppError } from '../../lib/errors.ts'
import type { Token } from '../access/tokens.ts'

/** Returns the tokens that open the calendar feed. */
export const feedTokens = (tokens: readonly Token[]) =>
  tokens.filter(({ scope, is_expired }) => scope === 'calendar' && !is_expired)

export function feedUrl({ supabaseUrl }: Config, token: string): string {
  return `${supabaseUrl}/functions/v1/calendar/${token}/bike-maintenance.ics`
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
