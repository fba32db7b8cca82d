import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import bcrypt from 'bcryptjs'
import type { Sql } from 'postgres'
import { MIN_NETWORK_PASSWORD as MIN_LENGTH, StartError, type Settings } from './settings.ts'

/**
 * Remembers in `file` that the owner's current password is long enough for the network. Auth only stores the password's hash,
 * so the length of any other password is unknown.
 */
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
 * Call this before other devices can reach the tracker. If the length of the existing password is unknown, sets the owner's
 * password to OWNER_PASSWORD and signs out all devices. Throws a StartError if it isn't set.
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
  const encrypted = await bcrypt.hash(ownerPassword, 10)
  await sql.begin(async (transaction) => {
    await transaction`update auth.users set encrypted_password = ${encrypted}`
    await transaction`delete from auth.sessions`
  })
  await record.remember()
  console.log('The password is now OWNER_PASSWORD. All devices were signed out.')
}
