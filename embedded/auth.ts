import { randomBytes } from 'node:crypto'
import {
  type AuthFields,
  readFields,
  refuse,
  refuseBody,
  refuseFields,
  refusePath,
  refuseSignIn,
} from './auth-requests.ts'
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

  return async function answer({ request, address }: AuthRequest): Promise<Response> {
    const url = new URL(request.url)
    const apiKey = keyOf(request)
    // Supabase Lite rejects requests with a wrong key, except for email links, which have no body.
    const isKnown = [secrets.publishableKey, secrets.secretKey].includes(apiKey)
    if (!isKnown || request.method === 'OPTIONS') return send(withoutBody(request))
    // Supabase Lite decodes paths, so an encoded path must not bypass the routes below.
    const path = /^\/auth\/v1\/([\w.-]+(?:\/[\w.-]+)*)$/.exec(url.pathname)?.[1]
    const refusedPath = refusePath(request.method, path)
    if (refusedPath) return refusedPath
    const route = `${request.method} ${path}`
    if (request.method === 'GET' || route === 'POST logout') return send(withoutBody(request))

    const fields = readFields(await request.text())
    const refused = fields ? refuseFields(route, fields) : refuseBody()
    if (!fields || refused) return refused!
    const { email, password } = fields
    const headers = new Headers(request.headers)
    headers.set('apikey', apiKey)
    headers.set('content-type', 'application/json')
    // Rebuild the request, so Supabase Lite reads the same fields and grant type that were checked here.
    const forward = (to: string, content: object = fields) =>
      send(new Request(to, { method: request.method, headers, body: JSON.stringify(content) }))
    if (route === 'POST token') return answerToken(url, fields, networkOf(address), forward)
    if (EMAIL_ROUTES.has(route)) {
      if (!isEmail(email)) return invalidEmail()
      return sendEmail(email.toLowerCase(), networkOf(address), route, () => forward(request.url))
    }
    if (PASSWORD_ROUTES.has(route) && typeof password === 'string') {
      if (isTooLong(password)) return passwordTooLong()
      if (password.length < minPasswordLength) return passwordTooShort(minPasswordLength)
      const response = await forward(request.url)
      if (response.ok) await onNewPassword?.(password)
      return response
    }
    return forward(request.url)
  }

  async function answerToken(
    { origin, searchParams }: URL,
    fields: AuthFields,
    network: string,
    forward: (to: string, content?: object) => Promise<Response>,
  ): Promise<Response> {
    const grant = searchParams.get('grant_type') ?? ''
    const to = `${origin}/auth/v1/token?grant_type=${encodeURIComponent(grant)}`
    const { email, password, refresh_token: token } = fields
    // Supabase Lite returns the same new token for repeated refreshes, but not for simultaneous ones, so run them in order.
    if (grant === 'refresh_token' && typeof token === 'string') return inOrder(token, () => forward(to))
    if (grant !== 'password') return forward(to)
    const refused = refuseSignIn(fields)
    if (refused) return refused
    if (!isEmail(email) || typeof password !== 'string' || password === '') return wrongPassword()
    const credentials = { email: email.toLowerCase(), password }
    return signIn(credentials, network, (attempted) => forward(to, attempted))
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

const isTooLong = (password: string) => Buffer.byteLength(password) > MAX_PASSWORD_BYTES

const wrongPassword = () => refuse(400, 'invalid_credentials', 'Invalid login credentials')
const invalidEmail = () =>
  refuse(400, 'validation_failed', 'Unable to validate email address: invalid format')
const passwordTooLong = () =>
  refuse(400, 'validation_failed', `Password cannot be longer than ${MAX_PASSWORD_BYTES} bytes`)
const passwordTooShort = (length: number) =>
  refuse(422, 'weak_password', `Password should be at least ${length} characters.`)
const tooManyAttempts = (seconds: number) =>
  refuse(429, 'over_request_rate_limit', `Too many attempts. Try again in ${seconds} s.`, seconds)
const tooManyEmails = (seconds: number) =>
  refuse(429, 'over_email_send_rate_limit', `Too many emails. Try again in ${seconds} s.`, seconds)
