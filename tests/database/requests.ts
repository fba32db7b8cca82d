import { claimsOf, signToken } from '../tokens.ts'
import type { DataApi } from './data-api.ts'
import type { Actor } from './expectations.ts'

type Headers = Record<string, string>

export function headersOf(actor: Actor, { secrets, ownerToken }: DataApi): Headers {
  const apikey = secrets.publishableKey
  const another = { ...claimsOf(ownerToken), sub: '00000000-0000-0000-0000-00000000000b' }
  return {
    owner: { apikey, authorization: `Bearer ${ownerToken}` },
    'another user': { apikey, authorization: `Bearer ${signToken(another, secrets.jwtSecret)}` },
    anon: { apikey },
    'secret key': { apikey: secrets.secretKey },
  }[actor]
}

/** Sends a request in `Expectation`'s notation. */
export async function send(api: DataApi, request: string, headers: Headers): Promise<Response> {
  const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/.exec(request)!
  return api.fetch(`/rest/v1/${path}`, {
    method: method!,
    headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
    ...(body ? { body } : {}),
  })
}

/** Returns the number of rows (1 for a function) or the error code. */
export async function outcomeOf(api: DataApi, request: string, headers: Headers): Promise<string> {
  const response = await send(api, request, headers)
  const body = await response.json()
  if (response.ok) return !Array.isArray(body) || body.length === 1 ? '1 row' : `${body.length} rows`
  return body.code
}

export async function everything({ database }: DataApi): Promise<string> {
  return JSON.stringify(
    await database.run('select * from private.backup_rows(null, null); table public.ride_syncs'),
  )
}
