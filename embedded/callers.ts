import type { Secrets } from './secrets.ts'

/** The API key of a request; Supabase Lite accepts it in either place. */
export const keyOf = ({ headers, url }: Request) =>
  headers.get('apikey') ?? new URL(url).searchParams.get('apikey') ?? ''

/** Whether a request to the data API has the public key only. Supabase Lite ignores other keys sent as a token. */
export function isAnonymous(request: Request, { publishableKey }: Secrets): boolean {
  if (request.method === 'OPTIONS' || keyOf(request) !== publishableKey) return false
  const token = /^Bearer\s+(.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return token === undefined || token.startsWith('sb_')
}

/** Asks the database about a caller, as the edge functions do. */
export function isOwnerRequest(request: Request): Request {
  const authorization = request.headers.get('authorization') ?? ''
  return new Request(new URL('/rest/v1/rpc/is_owner', request.url), {
    method: 'POST',
    headers: { apikey: keyOf(request), authorization, 'content-type': 'application/json' },
    body: '{}',
  })
}
