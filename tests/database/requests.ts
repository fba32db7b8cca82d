import { claimsOf, signToken } from '../tokens.ts'
import type { DataApi } from './data-api.ts'
import type { Actor } from './expectations.ts'

type Headers = Record<string, string>

/** What an actor shows with every request. */
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

/** Sends a request that is written as in the table of expectations. */
export async function send(api: DataApi, request: string, headers: Headers): Promise<Response> {
  const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/.exec(request)!
  return api.fetch(`/rest/v1/${path}`, {
    method: method!,
    headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
    ...(body ? { body } : {}),
  })
}

/** What came of it: how many rows were answered (a function's answer being one), or the code of the refusal. */
export async function outcomeOf(api: DataApi, request: string, headers: Headers): Promise<string> {
  const response = await send(api, request, headers)
  const body = await response.json()
  if (response.ok) return !Array.isArray(body) || body.length === 1 ? '1 row' : `${body.length} rows`
  // Supabase Lite has one code for everything that it does not know, but passes the words on.
  return body.code === 'SUP' && body.message.includes('This sync was closed') ? 'RMT02' : body.code
}

/** All rows of all tables. */
export async function everything({ database }: DataApi): Promise<string> {
  const tables = ['bikes', 'maintenance', 'rides', 'ride_syncs']
  const selects = tables.map((table) => `select * from public.${table} order by 1`)
  return JSON.stringify(await database.run(selects.join(';')))
}
