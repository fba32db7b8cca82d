import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import { createApi } from './api.ts'
import type { Database } from './database.ts'
import { createDemoAccount, ensureOwner } from './owner.ts'
import { createSecrets } from './secrets.ts'
import { DEMO_ACCOUNT } from './settings.ts'

const secrets = createSecrets()
let database: Database
let hasDemoAccount: () => Promise<boolean>

beforeEach(async () => {
  database = await openMigrated()
  hasDemoAccount = createDemoAccount(database.sql)
})
afterEach(() => database.close())

const createOwner = ({ email, password } = DEMO_ACCOUNT) =>
  ensureOwner(database, secrets, { ownerEmail: email, ownerPassword: password })

async function auth(method: string, path: string, body: object, token = '') {
  const headers = {
    apikey: secrets.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const request = new Request(`http://127.0.0.1/auth/v1/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  return (await (await createApi(database, secrets).fetch(request)).json()) as { access_token?: string }
}

test('the demo account exists until its password is changed', async () => {
  expect(await hasDemoAccount()).toBe(false)
  await createOwner()
  expect(await hasDemoAccount()).toBe(true)
  const { access_token } = await auth('POST', 'token?grant_type=password', DEMO_ACCOUNT)
  await auth('PUT', 'user', { password: 'a better password' }, access_token)
  expect(await hasDemoAccount()).toBe(false)
  // A restarted tracker also notices the change.
  expect(await createDemoAccount(database.sql)()).toBe(false)
})

test('says that an existing account keeps its password', async () => {
  const { email } = DEMO_ACCOUNT
  expect((await createOwner({ email, password: 'a chosen password' })).keepsPassword).toBeUndefined()
  expect((await createOwner({ email, password: 'a chosen password' })).keepsPassword).toBe(false)
  expect((await createOwner({ email, password: 'another password' })).keepsPassword).toBe(true)
  expect((await createOwner()).keepsPassword).toBe(false)
})

test('refuses a variable as the password', async () => {
  await expect(createOwner({ ...DEMO_ACCOUNT, password: '${OWNER_PASSWORD:-}' })).rejects.toThrow(
    'OWNER_PASSWORD is the text ${OWNER_PASSWORD:-}, a variable that was not replaced.',
  )
  expect(await database.sql`select from auth.users`).toHaveLength(0)
})

test('remembers the demo account while the database cannot be reached', async () => {
  await createOwner()
  let isReachable = true
  const sql = ((...statement: Parameters<Database['sql']>) =>
    isReachable
      ? database.sql(...statement)
      : Promise.reject(
          Object.assign(new Error('down'), { code: 'ECONNREFUSED' }),
        )) as unknown as Database['sql']
  const remembered = createDemoAccount(sql)
  expect(await remembered()).toBe(true)
  isReachable = false
  expect(await remembered()).toBe(true)
  expect(await createDemoAccount(sql)()).toBe(false)
})

test.each([
  ['email', { ...DEMO_ACCOUNT, email: 'rider@example.com' }],
  ['password', { ...DEMO_ACCOUNT, password: 'correct horse' }],
])('another %s is not the demo account', async (_, account) => {
  await createOwner(account)
  expect(await hasDemoAccount()).toBe(false)
})

test('a generated password is returned once, and a later OWNER_PASSWORD changes nothing', async () => {
  const { email, password } = await ensureOwner(database, secrets, {
    ownerEmail: DEMO_ACCOUNT.email,
    ownerPassword: undefined,
  })
  expect(password!.length).toBeGreaterThanOrEqual(16)
  expect(await createOwner({ email, password: 'correct horse' })).toEqual({
    email,
    password: undefined,
    keepsPassword: true,
  })
  expect(await auth('POST', 'token?grant_type=password', { email, password })).toHaveProperty('access_token')
})
