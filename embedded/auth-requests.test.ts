import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMigrated, weakenPassword } from '../tests/postgres.ts'
import { createApi } from './api.ts'
import type { Database } from './database.ts'
import { ensureOwner } from './owner.ts'
import { createSecrets } from './secrets.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'correct horse'
const URL_OF_ALL = 'http://127.0.0.1'
const secrets = createSecrets()
let database: Database
let api: ReturnType<typeof createApi>
let token: string

beforeAll(async () => {
  database = await openMigrated()
  await ensureOwner(database, secrets, { ownerEmail: EMAIL, ownerPassword: PASSWORD })
  await weakenPassword(database.sql, PASSWORD)
  // Limits of attempts have tests of their own.
  let now = 0
  api = createApi(database, secrets, { now: () => (now += 1000) })
})
afterAll(() => database.close())
beforeEach(async () => {
  const { data } = await createSupabase().auth.signInWithPassword({ email: EMAIL, password: PASSWORD })
  token = data.session!.access_token
})

const send: typeof fetch = async (...input) => api.fetch(new Request(...input), { address: '127.0.0.1' })

const createSupabase = () =>
  createClient(URL_OF_ALL, secrets.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    global: { fetch: send },
  })

const accounts = () =>
  database.sql`select email, encrypted_password, raw_user_meta_data, email_change, phone from auth.users`

// The answers of Supabase Auth (its openapi.yaml, and internal/api of August 2026). `=` marks equal ones; `!` those that only
// hosted projects give, which are rejected here.
const REQUESTS: Record<string, string> = {
  'paths and methods': `
    = GET health | 200
    = GET settings | 200
    = GET .well-known/jwks.json | 200
    = GET token | 405
    = GET logout | 405
    = GET recover | 405
    = GET otp | 405
    = PATCH user {} | 405
    = DELETE user | 405
    = POST settings {} | 405
    ! GET nope | 404 not_found
    ! POST nope {} | 404 not_found
    ! GET nope/more | 404 not_found
    ! GET user/identities/authorize | 404 not_found
    ! GET authorize?provider=github | 404 not_found
    ! GET callback?code=1 | 404 not_found
    ! GET admin/users | 404 not_found
    ! POST admin/users {} | 404 not_found
    ! POST factors {} | 404 not_found
    ! POST invite {} | 404 not_found
    = POST signup {"email":"a@example.com","password":"correct horse"} | 422 signup_disabled`,
  'sign-in': `
    = POST token?grant_type=password {"email":"owner@example.com","password":"correct horse"} | 200
    = POST token?grant_type=password {"email":"OWNER@example.com","password":"correct horse"} | 200
    = POST token?grant_type=password {"email":"owner@example.com","password":"x"} | 400 invalid_credentials
    = POST token?grant_type=password {"email":"owner@example.com","password":""} | 400 invalid_credentials
    = POST token?grant_type=password {"email":"owner@example.com"} | 400 invalid_credentials
    = POST token?grant_type=password {"email":"x","password":"x"} | 400 invalid_credentials
    = POST token?grant_type=password {"email":"owner@example.com","password":7} | 400 bad_json
    = POST token?grant_type=password {"email":["owner@example.com"],"password":"x"} | 400 bad_json
    = POST token?grant_type=password {} | 400 validation_failed
    = POST token?grant_type=password null | 400 validation_failed
    = POST token?grant_type=password {"email":"a@example.com","phone":"1","password":"x"} | 400 validation_failed
    = POST token?grant_type=password {"phone":"1","password":"x"} | 422 phone_provider_disabled
    = POST token?grant_type=password [] | 400 bad_json
    = POST token?grant_type=password { | 400 bad_json
    = POST token?grant_type=password | 400 bad_json
    = POST token?grant_type=password email=owner@example.com&password=x | 400 bad_json
    = POST token {} | 400 invalid_credentials
    = POST token?grant_type=x {} | 400 invalid_credentials
    ! POST token?grant_type=id_token {} | 400 invalid_credentials`,
  refresh: `
    = POST token?grant_type=refresh_token {} | 400 validation_failed
    = POST token?grant_type=refresh_token {"refresh_token":null} | 400 validation_failed
    = POST token?grant_type=refresh_token {"refresh_token":"abc"} | 400 validation_failed
    = POST token?grant_type=refresh_token {"refresh_token":"01a21ff0-216e-768e-b7d5-72bf2393dc39"} | 400 refresh_token_not_found
    = POST token?grant_type=refresh_token {"refresh_token":7} | 400 bad_json
    = POST token?grant_type=refresh_token { | 400 bad_json`,
  user: `
    = GET user | 200
    = GET user (no session) | 401 no_authorization
    = GET user (no token) | 403 bad_jwt
    = PUT user {"data":{}} (no session) | 401 no_authorization
    = PUT user {} | 200
    = PUT user {"password":null} | 200
    = PUT user {"email":"owner@example.com"} | 200
    = PUT user {"password":""} | 422 weak_password
    = PUT user {"password":"short"} | 422 weak_password
    = PUT user {"password":"correct horse"} | 422 same_password
    = PUT user {"password":7} | 400 bad_json
    = PUT user {"email":"x"} | 400 validation_failed
    = PUT user {"data":"x"} | 400 bad_json
    = PUT user {"data":[1]} | 400 bad_json
    = PUT user {"app_metadata":{"role":"x"}} | 403 not_admin
    = PUT user { | 400 bad_json
    ! PUT user {"phone":"+15551234567"} | 422 phone_provider_disabled
    ! PUT user {"email":"new@example.com","code_challenge":"x","code_challenge_method":"s256"} | 400 validation_failed`,
  'sign-out': `
    = POST logout?scope=x | 400 validation_failed
    = POST logout (no session) | 401 no_authorization
    = POST logout (no token) | 403 bad_jwt
    ! POST logout?scope= | 400 validation_failed`,
  recovery: `
    = POST recover {} | 400 validation_failed
    = POST recover {"email":"x"} | 400 validation_failed
    = POST recover {"email":7} | 400 bad_json
    = POST recover { | 400 bad_json
    = POST recover {"email":"stranger@example.com"} | 200
    = POST verify {} | 400 validation_failed
    = POST verify {"type":"nope","token_hash":"x"} | 400 validation_failed
    = POST verify {"type":"recovery","token_hash":"x"} | 403 otp_expired
    = POST verify {"type":"recovery","token_hash":7} | 400 bad_json
    = GET verify | 400 validation_failed
    = GET verify?type=recovery&token=x | 303
    ! POST recover {"email":"owner@example.com","code_challenge":"x","code_challenge_method":"s256"} | 400 validation_failed`,
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) =>
      /^\s*[=!] (\w+) (\S+)(?: (.*?))??(?: \((no \w+)\))? \| (\d+) ?(\w+)?$/.exec(line)!.slice(1),
    )

describe.each(Object.entries(REQUESTS))('%s', (_, text) => {
  test.each(rowsOf(text))('%s %s %s %s', async (method, path, body, session, status, code) => {
    const authorization =
      session === 'no session' ? {} : { authorization: `Bearer ${session === 'no token' ? 'x' : token}` }
    const before = await accounts()
    const response = await send(`${URL_OF_ALL}/auth/v1/${path}`, {
      method,
      headers: { apikey: secrets.publishableKey, ...authorization },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const answer = await response.json().catch(() => ({}))
    expect([response.status, answer.error_code]).toEqual([Number(status), code])
    expect(await accounts()).toEqual(before)
  })
})

async function signedIn() {
  const { auth } = createSupabase()
  const { data } = await auth.signInWithPassword({ email: EMAIL, password: PASSWORD })
  return { auth, session: data.session! }
}

describe('supabase-js', () => {
  test('signs in, refreshes and reads the user', async () => {
    const { auth, session } = await signedIn()
    const { data, error } = await auth.refreshSession()
    expect(error).toBeNull()
    expect(data.session!.refresh_token).not.toBe(session.refresh_token)
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    const { data: found } = await auth.getUser()
    expect(found.user).toMatchObject({ email: EMAIL, aud: 'authenticated', role: 'authenticated' })
  })

  test.each([
    ['local', [true, false, true]],
    ['others', [false, true, false]],
    ['global', [false, false, false]],
  ] as const)('signs out %s', async (scope, isSignedIn) => {
    const sessions = [await signedIn(), await signedIn(), await signedIn()]
    expect((await sessions[1]!.auth.signOut({ scope })).error).toBeNull()
    const found = await Promise.all(
      sessions.map(async ({ auth, session }) => (await auth.getUser(session.access_token)).error === null),
    )
    expect(found).toEqual(isSignedIn)
  })

  test('recovers an account by the link of an email', async () => {
    const printed = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { auth } = createSupabase()
    const redirectTo = `${URL_OF_ALL}/app`
    expect(await auth.resetPasswordForEmail(EMAIL, { redirectTo })).toMatchObject({ data: {}, error: null })
    await expect.poll(() => printed.mock.calls.join()).toContain('/auth/v1/verify?')
    const link = /http\S+verify\S+/.exec(printed.mock.calls.join())![0]
    vi.restoreAllMocks()
    const response = await send(link, { redirect: 'manual' })
    const location = new URL(response.headers.get('location')!)
    expect(response.status).toBe(303)
    const fragment = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
    expect(fragment).toMatchObject({ type: 'recovery', token_type: 'bearer', expires_in: '3600' })
    const { error } = await auth.setSession({
      access_token: fragment['access_token']!,
      refresh_token: fragment['refresh_token']!,
    })
    expect(error).toBeNull()
    const again = await send(link, { redirect: 'manual' })
    expect(again.headers.get('location')).toContain('error_code=otp_expired')
  })
})
