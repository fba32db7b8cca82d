import type { Client } from '../../lib/backend.ts'
import { toAppError } from '../../lib/errors.ts'

export type Factor = { id: string; createdAt: string }

export type NewFactor = { id: string; image: string; secret: string }

/** Returns the account's verified authenticator app, if it has one. */
export async function readFactor(client: Client): Promise<Factor | null> {
  const { data, error } = await client.auth.mfa.listFactors()
  if (error) throw toAppError(error)
  const [factor] = data.totp
  return factor ? { id: factor.id, createdAt: factor.created_at } : null
}

/** Starts adding an authenticator app. Removes unfinished attempts. */
export async function enroll(client: Client): Promise<NewFactor> {
  const factors = await client.auth.mfa.listFactors()
  if (factors.error) throw toAppError(factors.error)
  const unfinished = factors.data.all.filter(({ status }) => status === 'unverified')
  for (const { id } of unfinished) await removeFactor(client, id)
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error) throw toAppError(error)
  return { id: data.id, image: data.totp.qr_code, secret: data.totp.secret }
}

/** Turns the factor on. From then on, signing in requires a code. */
export async function verify(client: Client, id: string, code: string): Promise<void> {
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
  if (error) throw toAppError(error)
}

export async function removeFactor(client: Client, id: string): Promise<void> {
  const { error } = await client.auth.mfa.unenroll({ factorId: id })
  if (error) throw toAppError(error)
}

/** Removes the verified factor, and refreshes the session, whose token still includes the factor. */
export async function turnOff(client: Client, id: string): Promise<void> {
  await removeFactor(client, id)
  await client.auth.refreshSession()
}
