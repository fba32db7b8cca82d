import { randomBytes } from 'node:crypto'
import { createApi } from './api.ts'
import type { Database } from './database.ts'
import type { Secrets } from './secrets.ts'
import { StartError, type Settings } from './settings.ts'

export interface OwnerAccount {
  email: string
  /** Set only when the account was just created. It is printed once and never stored. */
  password: string | undefined
}

/** Creates the owner's account on the first start. An existing account is never changed. */
export async function ensureOwner(
  database: Database,
  secrets: Secrets,
  { ownerEmail, ownerPassword }: Pick<Settings, 'ownerEmail' | 'ownerPassword'>,
  onNewPassword?: (password: string) => Promise<void>,
): Promise<OwnerAccount> {
  const [existing] = await database.sql<{ email: string }[]>`select email from auth.users order by created_at`
  if (existing) return { email: existing.email, password: undefined }

  const password = ownerPassword ?? randomBytes(15).toString('base64url')
  const email = ownerEmail
  // Supabase Lite has no admin API. This instance accepts sign-ups but doesn't listen on a port.
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
