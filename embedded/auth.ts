import { randomBytes } from 'node:crypto'
import { parseJson } from '../supabase/functions/_shared/http/body.ts'
import type { Database } from './database.ts'
import { UNKNOWN_CALLER } from './network.ts'
import type { Secrets } from './secrets.ts'
import { type Clock, createCallerThrottle, createTrustedNetworks, networkOf } from './throttle.ts'

type Send = (request: Request) => Promise<Response>

interface Credentials {
  email: string
  password: string
}

interface AuthRequest {
  request: Request
  /** The caller's IP address; empty if unknown. */
  address: string
}

// bcrypt ignores bytes beyond this limit.
const MAX_PASSWORD_BYTES = 72
const MAX_EMAIL_LENGTH = 320
const EMAIL_ROUTES = new Set(['POST otp', 'POST magiclink', 'POST recover', 'POST resend'])
const PASSWORD_ROUTES = new Set(['POST signup', 'PUT user'])

// Supabase Lite passes these fields to the database without validating them.
const TOKENS = ['token', 'token_hash', 'refresh_token', 'auth_code']

export interface AuthOptions {
  minPasswordLength?: number
  onNewPassword?: (password: string) => Promise<void>
  /** For tests. */
  now?: Clock
}

/** Slows down password guessing, but not session refreshes, and hides which emails have an account, even in response times. */
export function guardAuth(
  send: Send,
  { sql }: Pick<Database, 'sql'>,
  secrets: Secrets,
  options: AuthOptions = {},
) {
  const { minPasswordLength = 0, onNewPassword, now } = options
  const trusted = createTrustedNetworks()
  const passwords = createCallerThrottle(trusted, now)
  const emails = createCallerThrottle(trusted, now)
  const inOrder = createMutexes()

  return async function answer({ request: unread, address }: AuthRequest): Promise<Response> {
    const url = new URL(unread.url)
    const apiKey = keyOf(unread)
    // Supabase Lite rejects requests with a wrong key, except for email links, which have no body.
    if (![secrets.publishableKey, secrets.secretKey].includes(apiKey)) return send(withoutBody(unread))
    // Supabase Lite decodes paths, so an encoded path must not bypass the routes below.
    const path = /^\/auth\/v1\/([\w.-]+(?:\/[\w.-]+)*)$/.exec(url.pathname)?.[1]
    if (!path) return refuse(404, 'not_found', 'Unknown Auth path.')

    const { request, body } = await readBody(unread)
    const input = Object(parseJson(body)) as Record<string, unknown>
    const { email, password, refresh_token: token } = input
    if (TOKENS.some((name) => name in input && !isText(input[name]))) return invalidToken()
    const route = `${request.method} ${path}`
    if (route === 'POST token') {
      const grant = url.searchParams.get('grant_type') ?? ''
      const headers = new Headers(request.headers)
      headers.set('apikey', apiKey)
      // Rebuild the request, so Supabase Lite reads the same grant type and email that were checked here.
      const forward = (content: string) => {
        const tokenUrl = `${url.origin}/auth/v1/token?grant_type=${encodeURIComponent(grant)}`
        return send(new Request(tokenUrl, { method: 'POST', headers, body: content }))
      }
      // Supabase Lite returns the same new token for repeated refreshes, but not for simultaneous ones, so run them in order.
      if (grant === 'refresh_token' && typeof token === 'string') return inOrder(token, () => forward(body))
      if (grant !== 'password') return forward(body)
      if (!isEmail(email) || typeof password !== 'string' || password === '') return wrongPassword()
      const credentials = { email: email.toLowerCase(), password }
      return signIn(credentials, networkOf(address), (attempted) => forward(JSON.stringify(attempted)))
    }
    if (EMAIL_ROUTES.has(route)) {
      if (!isEmail(email)) return invalidEmail()
      return sendEmail(email.toLowerCase(), networkOf(address), route, () => send(request))
    }
    if (PASSWORD_ROUTES.has(route) && typeof password === 'string') {
      if (isTooLong(password)) return passwordTooLong()
      if (password.length < minPasswordLength) return passwordTooShort(minPasswordLength)
      const response = await send(request)
      if (response.ok) await onNewPassword?.(password)
      return response
    }
    return send(request)
  }

  async function signIn(
    { email, password }: Credentials,
    network: string,
    attempt: (credentials: Credentials) => Promise<Response>,
  ): Promise<Response> {
    const wait = passwords.wait(network)
    if (wait > 0) return tooManyAttempts(wait)
    passwords.attempt(network)
    const check = async () => {
      const accounts = await accountEmails()
      // For an unknown email, try a random password on a known account, so both cases take the same time.
      return attempt(
        accounts.includes(email)
          ? { email, password }
          : { email: accounts[0]!, password: randomBytes(32).toString('base64url') },
      )
    }
    // bcrypt runs on one thread. Check strangers' passwords one at a time, so a trusted network shares it with only one of them.
    const response = trusted.has(network) ? await check() : await inOrder('strangers', check)
    if (response.ok) {
      if (network !== UNKNOWN_CALLER) trusted.add(network)
      passwords.succeed(network)
    }
    return response
  }

  function sendEmail(
    email: string,
    network: string,
    route: string,
    deliver: () => Promise<Response>,
  ): Response {
    const wait = emails.wait(network)
    if (wait > 0) return tooManyEmails(wait)
    emails.attempt(network)
    void inOrder('emails', async () => {
      if (!(await accountEmails()).includes(email)) return
      // A new link would end the one before, so a stranger could end the owner's.
      if (route !== 'POST resend' && (await hasValidLink(email))) return
      const { ok, status } = await deliver()
      if (!ok) throw new Error(`Auth answered ${status}.`)
    }).catch((error: Error) => console.error(`Could not create the email: ${error.message}`))
    return Response.json({})
  }

  async function hasValidLink(email: string): Promise<boolean> {
    const valid = await sql`
      select from auth.users
      where email = ${email} and recovery_token is not null and recovery_sent_at > now() - interval '1 hour'`
    return valid.length > 0
  }

  async function accountEmails(): Promise<string[]> {
    const rows = await sql<{ email: string }[]>`select email from auth.users order by created_at`
    return rows.map(({ email }) => email)
  }
}

/** Returns a request's API key from its header or query string, like Supabase Lite. */
export const keyOf = ({ headers, url }: Request) =>
  headers.get('apikey') ?? new URL(url).searchParams.get('apikey') ?? ''

const withoutBody = ({ url, method, headers }: Request) => new Request(url, { method, headers })

async function readBody(request: Request): Promise<{ request: Request; body: string }> {
  const body = await request.text()
  // A string body would add a content type that the caller didn't send.
  return {
    request: request.body === null ? request : new Request(request, { body: new TextEncoder().encode(body) }),
    body,
  }
}

function createMutexes() {
  const last = new Map<string, Promise<unknown>>()
  return function inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
    last.set(key, ended)
    return result
  }
}

const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_EMAIL_LENGTH && value.includes('@')

// PostgreSQL's text type can't store null characters.
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

const isTooLong = (password: string) => Buffer.byteLength(password) > MAX_PASSWORD_BYTES

const wrongPassword = () => refuse(400, 'invalid_credentials', 'Invalid login credentials')
const invalidEmail = () =>
  refuse(400, 'validation_failed', 'Unable to validate email address: invalid format')
const invalidToken = () => refuse(400, 'bad_json', 'A token must be text.')
const passwordTooLong = () =>
  refuse(400, 'validation_failed', `Password cannot be longer than ${MAX_PASSWORD_BYTES} bytes`)
const passwordTooShort = (length: number) =>
  refuse(422, 'weak_password', `Password should be at least ${length} characters.`)
const tooManyAttempts = (seconds: number) =>
  refuse(429, 'over_request_rate_limit', `Too many attempts. Try again in ${seconds} s.`, seconds)
const tooManyEmails = (seconds: number) =>
  refuse(429, 'over_email_send_rate_limit', `Too many emails. Try again in ${seconds} s.`, seconds)

/** Builds an error response in Auth's format. */
export function refuse(status: number, code: string, msg: string, retryAfter?: number): Response {
  const headers = new Headers(retryAfter === undefined ? [] : [['retry-after', `${retryAfter}`]])
  return Response.json({ code: status, error_code: code, msg }, { status, headers })
}
