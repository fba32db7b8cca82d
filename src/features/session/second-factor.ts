import type { Client } from '../../lib/backend.ts'
import { toAppError } from '../../lib/errors.ts'

export type Factor = { id: string; createdAt: string }

/** A factor that a code still has to verify. */
export type NewFactor = { id: string; image: string; secret: string }

/** Returns the account's verified authenticator app, if it has one. */
export async function readFactor(client: Client): Promise<Factor | null> {
  const { data, error } = await client.auth.mfa.listFactors()
  if (error) throw toAppError(error)
  const [factor] = data.totp
  return factor ? { id: factor.id, createdAt: factor.created_at } : null
}

/** Starts to add an authenticator app. Removes what earlier attempts left behind. */
export async function enroll(client: Client): Promise<NewFactor> {
  const factors = await client.auth.mfa.listFactors()
  if (factors.error) throw toAppError(factors.error)
  const unfinished = factors.data.all.filter(({ status }) => status === 'unverified')
  for (const { id } of unfinished) await removeFactor(client, id)
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error) throw toAppError(error)
  return { id: data.id, image: data.totp.qr_code, secret: data.totp.secret }
}

/** Turns the factor on. From then on, signing in needs a code. */
export async function verify(client: Client, id: string, code: string): Promise<void> {
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
  if (error) throw toAppError(error)
}

export async function removeFactor(client: Client, id: string): Promise<void> {
  const { error } = await client.auth.mfa.unenroll({ factorId: id })
  if (error) throw toAppError(error)
}

/** Removes the verified factor. The session's next token no longer mentions it. */
export async function turnOff(client: Client, id: string): Promise<void> {
  await removeFactor(client, id)
  await client.auth.refreshSession()
}
