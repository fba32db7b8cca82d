import type { Auth } from '../../lib/backend.ts'
import { AppError, toAppError, unwrap } from '../../lib/errors.ts'

/** Signs in. Throws an AppError, with code `invalid_credentials` for a wrong email or password. */
export async function signIn(auth: Auth, email: string, password: string): Promise<void> {
  unwrap(await auth.signInWithPassword({ email, password }))
}

/** Signs out everywhere, or only in this browser if Auth is unreachable. supabase-js ignores a 401 or 404 itself. */
export async function signOut(auth: Auth): Promise<void> {
  const { error } = await auth.signOut()
  if (!error) return
  const failure = toAppError(error)
  if (failure.code !== 'network') throw failure
  await auth.signOut({ scope: 'local' })
}

/** Emails a reset link that leads back to this page. Resolves even if the email has no account. */
export async function requestRecovery(auth: Auth, email: string): Promise<void> {
  const redirectTo = window.location.origin + window.location.pathname
  unwrap(await auth.resetPasswordForEmail(email, { redirectTo }))
}

/** Returns whether the page was opened from an Auth link that has expired or was already used. */
export async function isLinkExpired(auth: Auth): Promise<boolean> {
  const { error } = await auth.initialize()
  return error?.name === 'AuthImplicitGrantRedirectError'
}

export async function changePassword(auth: Auth, password: string): Promise<void> {
  unwrap(await auth.updateUser({ password }))
}

/** Signs out the account's other sessions. Returns whether that succeeded. */
export async function signOutOthers(auth: Auth): Promise<boolean> {
  const { error } = await auth.signOut({ scope: 'others' })
  return error === null
}

/** Verifies a code. Tries all of the account's authenticator apps. */
export async function verifyCode(auth: Auth, code: string): Promise<void> {
  const { totp } = unwrap(await auth.mfa.listFactors())
  let failure = new AppError('no_totp_factor', 'The account has no verified TOTP factor')
  for (const { id } of totp) {
    const { error } = await auth.mfa.challengeAndVerify({ factorId: id, code })
    if (!error) return
    failure = toAppError(error)
  }
  throw failure
}
