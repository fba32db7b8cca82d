import bcrypt from 'bcryptjs'
import { hash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { createApi } from './api.ts'
import type { Database } from './database.ts'
import type { Secrets } from './secrets.ts'
import { isConnectionError } from './sessions.ts'
import { DEMO_ACCOUNT, MIN_NETWORK_PASSWORD as MIN_LENGTH, type Settings, StartError } from './settings.ts'

export interface OwnerAccount {
  email: string
  /** Set only if the account was just created. Printed once and never stored. */
  password: string | undefined
  /** Whether the account existed with another password than OWNER_PASSWORD. */
  keepsPassword?: boolean
}

/** Creates the owner's account on the first start. Never changes an existing account. */
export async function ensureOwner(
  database: Database,
  secrets: Secrets,
  { ownerEmail, ownerPassword }: Pick<Settings, 'ownerEmail' | 'ownerPassword'>,
  onNewPassword?: (password: string) => Promise<void>,
): Promise<OwnerAccount> {
  const [existing] = await database.sql<{ email: string; hash: string }[]>`
    select email, encrypted_password as hash from auth.users order by created_at`
  if (existing) {
    // The sample has this password without OWNER_PASSWORD, too.
    const isChosen = ownerPassword !== undefined && ownerPassword !== DEMO_ACCOUNT.password
    const keepsPassword = isChosen && !(await bcrypt.compare(ownerPassword, existing.hash))
    return { email: existing.email, password: undefined, keepsPassword }
  }

  requireReplaced(ownerPassword)
  const password = ownerPassword ?? randomBytes(15).toString('base64url')
  const email = ownerEmail
  // Supabase Lite has no admin API, so sign up with an instance that doesn't listen on a port.
  const response = await createApi(database, secrets, { signUps: true }).fetch(
    new Request('http://127.0.0.1/auth/v1/signup', {
      method: 'POST',
      headers: { apikey: secrets.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    }),
  )
  if (!response.ok) {
    const { msg } = (await response.json().catch(() => ({}))) as { msg?: string }
    throw new StartError(
      `Can't create the account ${email} (${msg ?? response.status}). Choose another OWNER_EMAIL or OWNER_PASSWORD.`,
    )
  }
  await onNewPassword?.(password)
  return { email, password }
}

/** Throws a StartError if the password is a variable that a program such as podman-compose should have replaced. */
function requireReplaced(password: string | undefined): void {
  if (!password?.startsWith('${')) return
  throw new StartError(
    `OWNER_PASSWORD is the text ${password.slice(0, 40)}, a variable that was not replaced. Set it to your password, or leave it out.`,
  )
}

/**
 * Returns a function that checks whether the demo account exists and still has its original password. While the database can't be
 * reached, it returns the last result.
 */
export function createDemoAccount(sql: Sql): () => Promise<boolean> {
  let last: { hash?: string | undefined; isDemo: Promise<boolean> } = { isDemo: Promise.resolve(false) }
  const check = async () => {
    const [account] = await sql<{ hash: string }[]>`
      select encrypted_password as hash from auth.users where email = ${DEMO_ACCOUNT.email}`
    const hash = account?.hash
    // Comparing a password is slow, so only do it after the password changes.
    if (hash !== last.hash)
      last = { hash, isDemo: hash ? bcrypt.compare(DEMO_ACCOUNT.password, hash) : Promise.resolve(false) }
  }
  return async () => {
    await check().catch((error: Error) => {
      if (!isConnectionError(error)) throw error
    })
    return last.isDemo
  }
}

/** Records in `file` that the current password meets the minimum length for network access, because Auth only stores its hash. */
export function createPasswordRecord(sql: Sql, file: string) {
  const current = async () => {
    const [user] = await sql<{ password: string }[]>`
      select encrypted_password as password from auth.users order by created_at limit 1`
    return user && hash('sha256', user.password)
  }
  return {
    isLong: async () => (await current()) === (await readFile(file, 'utf8').catch(() => '')),
    remember: async () => writeFile(file, (await current()) ?? '', { mode: 0o600 }),
  }
}

type PasswordRecord = ReturnType<typeof createPasswordRecord>

/**
 * Ensures that the owner's password is long enough for network access. If its length is unknown, replaces the password with
 * OWNER_PASSWORD and signs out all devices. Throws a StartError if OWNER_PASSWORD isn't set.
 */
export async function requireLongPassword(
  sql: Sql,
  record: PasswordRecord,
  { account, ownerPassword }: Pick<Settings, 'account' | 'ownerPassword'>,
): Promise<void> {
  const [owner] = await sql`select from auth.users`
  if (!owner || (await record.isLong())) return
  if (ownerPassword === undefined) {
    const reason =
      account === 'sample'
        ? "the sample's password is publicly known"
        : `its password needs at least ${MIN_LENGTH} characters`
    throw new StartError(
      `Other devices could reach the tracker, and ${reason}. Set OWNER_PASSWORD to a new one of at least ${MIN_LENGTH} characters, which replaces the current one.`,
    )
  }
  requireReplaced(ownerPassword)
  const encrypted = await bcrypt.hash(ownerPassword, 10)
  await sql.begin(async (transaction) => {
    await transaction`update auth.users set encrypted_password = ${encrypted}`
    await transaction`delete from auth.sessions`
  })
  await record.remember()
  console.log('The password is now OWNER_PASSWORD. All devices were signed out.')
}
