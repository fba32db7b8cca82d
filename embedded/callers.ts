import type { Secrets } from './secrets.ts'

/** Returns a request's API key from its header or query string, like Supabase Lite. */
export const keyOf = ({ headers, url }: Request) =>
  headers.get('apikey') ?? new URL(url).searchParams.get('apikey') ?? ''

/** Returns whether only the publishable key authorizes a data API request. Supabase Lite ignores API keys sent as a token. */
export function isAnonymous(request: Request, { publishableKey }: Secrets): boolean {
  if (request.method === 'OPTIONS' || keyOf(request) !== publishableKey) return false
  const token = /^Bearer\s+(.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return token === undefined || token.startsWith('sb_')
}

/** Builds a request that asks the database whether the caller is the owner, as the edge functions do. */
export function isOwnerRequest(request: Request): Request {
  const authorization = request.headers.get('authorization') ?? ''
  return new Request(new URL('/rest/v1/rpc/is_owner', request.url), {
    method: 'POST',
    headers: { apikey: keyOf(request), authorization, 'content-type': 'application/json' },
    body: '{}',
  })
}
