import { type Client, isAuthImplicitGrantRedirectError } from '../../lib/backend.ts'
import { AppError, toAppError, unwrap } from '../../lib/errors.ts'

/** Signs in. Throws an AppError, with code `invalid_credentials` for a wrong email or password. */
export async function signIn(client: Client, email: string, password: string): Promise<void> {
  unwrap(await client.auth.signInWithPassword({ email, password }))
}

/** Signs out everywhere, or only in this browser if Auth is unreachable. supabase-js ignores a 401 or 404 itself. */
export async function signOut(client: Client): Promise<void> {
  const { error } = await client.auth.signOut()
  if (!error) return
  const failure = toAppError(error)
  if (failure.code !== 'network') throw failure
  await client.auth.signOut({ scope: 'local' })
}

/** Emails a reset link that leads back to this page. Resolves even if the email has no account. */
export async function requestRecovery(client: Client, email: string): Promise<void> {
  const redirectTo = window.location.origin + window.location.pathname
  unwrap(await client.auth.resetPasswordForEmail(email, { redirectTo }))
}

/** Returns whether the page was opened from an Auth link that has expired or was already used. */
export async function isLinkExpired(client: Client): Promise<boolean> {
  const { error } = await client.auth.initialize()
  return isAuthImplicitGrantRedirectError(error)
}

export async function changePassword(client: Client, password: string): Promise<void> {
  unwrap(await client.auth.updateUser({ password }))
}

/** Signs out the account's other sessions. Returns whether that succeeded. */
export async function signOutOthers(client: Client): Promise<boolean> {
  const { error } = await client.auth.signOut({ scope: 'others' })
  return error === null
}

/** Returns whether the session still needs a second factor. False on failure, because the database enforces it anyway. */
export async function lacksSecondFactor(client: Client): Promise<boolean> {
  try {
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    return data?.nextLevel === 'aal2' && data.currentLevel !== 'aal2'
  } catch {
    return false
  }
}

/** Verifies a code. Tries all of the account's authenticator apps. */
export async function verifyCode(client: Client, code: string): Promise<void> {
  const { totp } = unwrap(await client.auth.mfa.listFactors())
  let failure = new AppError('no_totp_factor', 'The account has no verified TOTP factor')
  for (const { id } of totp) {
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
    if (!error) return
    failure = toAppError(error)
  }
  throw failure
}
