import { type Client, isAuthImplicitGrantRedirectError } from '../../lib/backend.ts'
import { AppError, toAppError } from '../../lib/errors.ts'

/** Signs in; throws an AppError, `invalid_credentials` when the two do not belong together. */
export async function signIn(client: Client, email: string, password: string): Promise<void> {
  const { error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw toAppError(error)
}

/**
 * Signs out everywhere; where Auth cannot be reached, in this browser at least. Auth itself ignores that the session is no
 * longer known there (401, 404).
 */
export async function signOut(client: Client): Promise<void> {
  const { error } = await client.auth.signOut()
  if (!error) return
  const failure = toAppError(error)
  if (failure.code !== 'network') throw failure
  await client.auth.signOut({ scope: 'local' })
}

/** Has a link sent to that address, which leads back to this page; also resolves for an address without an account. */
export async function requestRecovery(client: Client, email: string): Promise<void> {
  const redirectTo = window.location.origin + window.location.pathname
  const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo })
  if (error) throw toAppError(error)
}

/** Whether the page was opened by a link of Auth that was used before or has expired. */
export async function isLinkRefused(client: Client): Promise<boolean> {
  const { error } = await client.auth.initialize()
  return isAuthImplicitGrantRedirectError(error)
}

export async function changePassword(client: Client, password: string): Promise<void> {
  const { error } = await client.auth.updateUser({ password })
  if (error) throw toAppError(error)
}

/** Ends every session of the account but this one; tells whether that was possible. */
export async function signOutOthers(client: Client): Promise<boolean> {
  const { error } = await client.auth.signOut({ scope: 'others' })
  return error === null
}

/** Whether the session needs a second factor that it has not given. Where that cannot be told, the database decides. */
export async function lacksSecondFactor(client: Client): Promise<boolean> {
  try {
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    return data?.nextLevel === 'aal2' && data.currentLevel !== 'aal2'
  } catch {
    return false
  }
}

/** Gives the code of an authenticator app: of whichever of the account's apps it is. */
export async function giveCode(client: Client, code: string): Promise<void> {
  const { data, error } = await client.auth.mfa.listFactors()
  if (error) throw toAppError(error)
  let refusal = new AppError('no_totp_factor', 'The account has no verified TOTP factor')
  for (const { id } of data.totp) {
    const answer = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
    if (!answer.error) return
    refusal = toAppError(answer.error)
  }
  throw refusal
}
