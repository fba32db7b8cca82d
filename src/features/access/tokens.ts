import { atom } from 'jotai'

import type { Token } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import { announceAtom } from '../../components/announcements.tsx'
import { backendAtom, type Client } from '../../lib/backend.ts'
import type { Config } from '../../lib/config.ts'
import { localDay as dayOf } from '../../lib/days.ts'
import { agoOf, type Formats, quote } from '../../lib/formats.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { write } from '../../lib/writes.ts'

export type { Token }

export type Scope = Token['scope']

/** Tokens for other software, newest first. Their secrets are only known to that software. */
export const tokensAtom = resourceAtom({ reads: [], cacheAs: 'tokens' }, (get, { signal }) =>
  readTokens(get(backendAtom).client, signal),
)

export async function readTokens(client: Client, signal?: AbortSignal): Promise<Token[]> {
  const { tokens } = await callSql(client, 'tokens', {}, signal)
  return tokens
}

/** `days`: until it expires; null for never. A repeated request changes nothing. */
export type NewToken = { token: string; name: string; scope: Scope; days: number | null }

export const saveToken = (client: Client, { days, ...token }: NewToken) =>
  write(client, 'create_token', { ...token, ...(days !== null && { days }) })

export const createTokenAtom = atom(null, async (get, set, token: NewToken) => {
  await saveToken(get(backendAtom).client, token)
  void set(tokensAtom.reloadAtom)
})

export const revokeToken = (client: Client, id: number) => write(client, 'revoke_token', { token_id: id })

export const revokeTokenAtom = atom(null, async (get, set, { id, name }: Token) => {
  await revokeToken(get(backendAtom).client, id)
  set(announceAtom, `${quote(name)} was revoked.`)
  await set(tokensAtom.reloadAtom)
})

/** Returns a command that shows what is due, to try a token. */
export function commandFor({ supabaseUrl }: Config, token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${supabaseUrl}/functions/v1/api/v1/summary`
}

export const SCOPES = { read: 'Read', 'read and write': 'Read and write', calendar: 'Calendar' }

/** Describes a token: `Read · made 11/22/2026 · used 2 h ago · expires 02/20/2027`. */
export function describeToken(token: Token, formats: Formats, now: number): string {
  const day = (instant: string) => formats.day(dayOf(new Date(instant)))
  return [
    SCOPES[token.scope],
    `made ${day(token.created_at)}`,
    usedText(token.last_used_at, formats, now),
    expiryText(token, day),
  ].join(' · ')
}

// The tracker only stores the hour of the last request.
function usedText(hour: string | null, formats: Formats, now: number): string {
  if (hour === null) return 'never used'
  const date = new Date(hour)
  return now - date.getTime() < 3_600_000 ? 'used in the last hour' : `used ${agoOf(date, formats, now)}`
}

function expiryText({ expires_at, is_expired }: Token, day: (instant: string) => string): string {
  if (expires_at === null) return 'no expiry'
  return `${is_expired ? 'expired' : 'expires'} ${day(expires_at)}`
}
