import type { Client } from '../../lib/backend.ts'
import { toAppError } from '../../lib/errors.ts'

/** Signs in; throws an AppError, `invalid_credentials` when the two do not belong together. */
export async function signIn(client: Client, email: string, password: string): Promise<void> {
  const { error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw toAppError(error)
}

/** Signs out everywhere. Auth itself ignores that the session is no longer known there (401, 404). */
export async function signOut(client: Client): Promise<void> {
  const { error } = await client.auth.signOut()
  if (error) throw toAppError(error)
}
