/** Reads data API requests strictly, so that they get PostgREST's answers or none. */
import type { IntrospectResult } from '@supabase/lite'
import { rawJson } from '../types.ts'
import { type Asked, readAsked } from './asked.ts'
import { planCall } from './call.ts'
import type { Plan } from './plan.ts'
import { appliedPreferences, forwardedPreferences, STRIPPED } from './preferences.ts'
import { RESERVED } from './query.ts'
import { planTable } from './table.ts'

export { currentPlan, runPlan } from './plan.ts'
export { errorResponse, Refusal } from './refusal.ts'

/**
 * Reads a data API request strictly. Throws a Refusal if Supabase Lite might answer it otherwise than PostgREST. Returns
 * undefined for requests that read and write no rows.
 */
export async function planRequest(schema: IntrospectResult, request: Request): Promise<Plan | undefined> {
  const { pathname } = new URL(request.url)
  if (request.method === 'OPTIONS' || /^\/rest\/v1\/?$/.test(pathname)) return undefined
  const asked = await readAsked(request)
  return {
    ...(asked.isCall ? planCall(schema, asked) : planTable(schema, asked)),
    request: rewrite(request, asked),
    finish: (response) => finish(response, asked),
  }
}

/** Returns a request without anything that `apply` adds. */
function rewrite(
  request: Request,
  { url, method, isCall, parameters, preferences, accept, body }: Asked,
): Request {
  const kept = parameters.filter(([key]) => RESERVED.includes(key))
  const headers = new Headers(request.headers)
  for (const name of ['range', 'range-unit', 'content-length']) headers.delete(name)
  if (body !== '') headers.set('content-type', 'application/json')
  headers.set('accept', accept.replace(STRIPPED, '').replace('vnd.pgrst.array+', ''))
  headers.set('prefer', forwardedPreferences(preferences, isCall))
  return new Request(
    `${url.origin}${url.pathname}?${new URLSearchParams(kept.map(([key, value]) => [key, value]))}`,
    {
      method,
      headers,
      ...(body === '' ? {} : { body }),
    },
  )
}

async function finish(response: Response, asked: Asked): Promise<Response> {
  const { headers } = response
  const { url, method, isCall, preferences } = asked
  if (method !== 'POST' || preferences['return'] !== 'headers-only') headers.delete('location')
  const isWrite = method === 'POST' || method === 'PATCH' || method === 'DELETE'
  if (response.ok && !isWrite && !isCall) headers.set('content-location', locationOf(url))
  const applied = appliedPreferences(preferences, isCall ? 'call' : isWrite ? method : 'read')
  headers.delete('preference-applied')
  if (response.ok && applied !== '') headers.set('preference-applied', applied)
  return asked.accept.endsWith(STRIPPED) && response.ok ? stripNulls(response, asked.accept) : response
}

// TypeScript doesn't know the third argument.
const withoutNulls = (_: string, value: unknown, context?: { source: string }) =>
  value === null ? undefined : typeof value === 'number' ? rawJson(context!.source) : value

/** Removes keys whose value is null. Supabase Lite would rewrite long numbers. */
async function stripNulls(response: Response, type: string): Promise<Response> {
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('content-type', `${type}; charset=utf-8`)
  const stripped = text === '' ? null : JSON.stringify(JSON.parse(text, withoutNulls))
  return new Response(stripped, { status: response.status, headers })
}

/** Returns the path and the sorted query, as sent. */
function locationOf({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams([...searchParams].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  return `${pathname.replace('/rest/v1', '')}${query.size > 0 ? `?${query}` : ''}`
}
