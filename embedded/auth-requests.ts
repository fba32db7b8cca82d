/** Rejects Auth requests that Supabase Lite would answer otherwise than Supabase Auth does. */
import { parseJson } from '../supabase/functions/_shared/http/body.ts'

// Supabase Lite answers other paths with a page of its own, and some wrong methods, too.
const METHODS = new Map(
  Object.entries({
    '.well-known/jwks.json': ['GET'],
    health: ['GET'],
    settings: ['GET'],
    reauthenticate: ['GET'],
    user: ['GET', 'PUT'],
    verify: ['GET', 'POST'],
    ...Object.fromEntries(
      ['token', 'logout', 'recover', 'otp', 'magiclink', 'resend', 'signup'].map((path) => [path, ['POST']]),
    ),
  }),
)
const TEXTS = new Set(
  `email phone password current_password nonce channel type token token_hash refresh_token auth_code code_verifier code_challenge
   code_challenge_method redirect_to`.split(/\s+/),
)
const OBJECTS = new Set(['data', 'app_metadata'])

export type AuthFields = Record<string, unknown>

/** Rejects a path or method that isn't served. */
export function refusePath(method: string, path: string | undefined): Response | undefined {
  const methods = METHODS.get(path ?? '')
  if (!methods) return refuse(404, 'not_found', 'Unknown Auth path.')
  if (methods.includes(method)) return undefined
  return new Response(null, { status: 405, headers: { allow: methods.join(', ') } })
}

/** Reads a JSON body. Null is the same as a missing field. Returns undefined if a value has a wrong type. */
export function readFields(body: string): AuthFields | undefined {
  const input = parseJson(body)
  if (input === null) return {}
  if (typeof input !== 'object' || Array.isArray(input)) return undefined
  const fields = Object.entries(input).filter(([, value]) => value !== null)
  return fields.every(isReadable) ? Object.fromEntries(fields) : undefined
}

function isReadable([name, value]: [string, unknown]): boolean {
  // PostgreSQL's text type can't store null characters.
  if (TEXTS.has(name)) return typeof value === 'string' && !value.includes('\0')
  return !OBJECTS.has(name) || (typeof value === 'object' && !Array.isArray(value))
}

/** Rejects fields that Supabase Lite ignores. */
export function refuseFields(route: string, fields: AuthFields): Response | undefined {
  if (fields['code_challenge'])
    return refuse(400, 'validation_failed', 'A code challenge (PKCE) only works on hosted projects.')
  if (route !== 'PUT user') return undefined
  if (fields['phone'])
    return refuse(422, 'phone_provider_disabled', 'A phone number only works on hosted projects.')
  if (fields['app_metadata'])
    return refuse(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  return undefined
}

/** Rejects a sign-in without an email. Phones can't sign in. */
export function refuseSignIn({ email, phone }: AuthFields): Response | undefined {
  if (phone && !email) return refuse(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (phone)
    return refuse(
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on login.',
    )
  return email ? undefined : refuse(400, 'validation_failed', 'missing email or phone')
}

export const refuseBody = () => refuse(400, 'bad_json', 'Could not parse request body as JSON')

/** Builds an error response in Auth's format. */
export function refuse(status: number, code: string, msg: string, retryAfter?: number): Response {
  const headers = new Headers(retryAfter === undefined ? [] : [['retry-after', `${retryAfter}`]])
  return Response.json({ code: status, error_code: code, msg }, { status, headers })
}
