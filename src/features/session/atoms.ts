import { atom } from 'jotai'
import { startTransition } from 'react'

import { clearAddress } from '../../lib/address.ts'
import { backendAtom, removeStoredSession, storedUser, type Session, type User } from '../../lib/backend.ts'
import { isOfflineAtom, isSessionPendingAtom, tryAgain } from '../../lib/connection.ts'
import { clearCache } from '../../lib/cache.ts'
import { forgetFirstReads } from '../../lib/first-reads.ts'
import { clearResourcesAtom } from '../../lib/resource.ts'
import { changePassword, isLinkExpired, lacksSecondFactor, signIn, signOut, signOutOthers } from './api.ts'
import { completeSession } from './rules.ts'

/** Undefined until Auth has checked for a stored session. */
const sessionBase = atom<Session | null | undefined>(undefined)
const userBase = atom<User | null>(null)
/** Undefined until known. */
const lacksFactorBase = atom<boolean | undefined>(undefined)
const choosingPasswordBase = atom(false)
const linkProblemBase = atom<string | null>(null)

export type SessionStatus =
  | 'checking'
  | 'waiting'
  | 'signed-out'
  | 'second-factor'
  | 'new-password'
  | 'signed-in'

export const sessionStatusAtom = atom((get): SessionStatus => {
  if (get(isSessionPendingAtom)) return 'waiting'
  const session = get(sessionBase)
  if (session === null) return 'signed-out'
  const lacksFactor = get(lacksFactorBase)
  if (session === undefined || lacksFactor === undefined) return 'checking'
  if (lacksFactor) return 'second-factor'
  return get(choosingPasswordBase) ? 'new-password' : 'signed-in'
})

/** The owner of the current session, or of a stored session that is waiting for a refresh. */
const ownerAtom = atom(
  (get) => get(sessionBase)?.user ?? (get(isSessionPendingAtom) ? storedUser(get(backendAtom).config) : null),
)

/** The owner's id, or null without a session. A token refresh doesn't change it. */
export const ownerIdAtom = atom((get) => get(ownerAtom)?.id ?? null)

/** The user from the last SIGNED_IN event; null if the session was restored. */
export const userAtom = atom((get) => get(userBase))

export const emailAtom = atom((get) => (get(userAtom) ?? get(ownerAtom))?.email)

export const choosingPasswordAtom = atom(
  (get) => get(choosingPasswordBase),
  // A transition keeps the current screen visible while the card's code loads.
  (_get, set, isChoosing: boolean) => startTransition(() => set(choosingPasswordBase, isChoosing)),
)

/** The error message if the Auth link that opened this page failed, else null. */
export const linkProblemAtom = atom((get) => get(linkProblemBase))

const endSessionAtom = atom(null, (_get, set) => {
  set(sessionBase, null)
  set(lacksFactorBase, undefined)
  set(choosingPasswordBase, false)
  set(isSessionPendingAtom, false)
  void clearCache()
  forgetFirstReads()
})

/**
 * Follows Auth's session events. Returns a stop function. Call it as soon as the backend is connected, because the
 * first event has the session from storage or an email link.
 */
export const followSessionAtom = atom(null, (get, set) => {
  const { client, config } = get(backendAtom)
  const { data } = client.auth.onAuthStateChange((event, given) => {
    const session = completeSession(given)
    // Another user may be signing in. The previous user's data is no longer mounted.
    if (session && get(sessionStatusAtom) === 'signed-out') set(clearResourcesAtom)
    if (session) set(sessionBase, session)
    else set(endSessionAtom)
    if (event === 'SIGNED_IN' && session) set(userBase, session.user)
    if (event === 'PASSWORD_RECOVERY' && session) set(choosingPasswordBase, true)
    // Auth sends the recovery event to all tabs, so another tab may have changed the password.
    if (event === 'USER_UPDATED') set(choosingPasswordBase, false)
    // Not awaited, because Auth waits for its listeners.
    if (session) void checkFactor(session)
  })
  // Another tab may sign out while Auth is unreachable, which Auth doesn't report.
  const checkStorage = () => {
    if (!storedUser(config)) set(endSessionAtom)
  }
  window.addEventListener('storage', checkStorage)
  return () => {
    window.removeEventListener('storage', checkStorage)
    data.subscription.unsubscribe()
  }

  async function checkFactor(session: Session) {
    const lacksFactor = await lacksSecondFactor(client)
    if (get(sessionBase) !== session) return
    set(lacksFactorBase, lacksFactor)
    set(isSessionPendingAtom, false)
  }
})

/** Marks a stored session that isn't restored yet as waiting for a refresh. Call it if Auth is unreachable. */
export const awaitRefreshAtom = atom(null, (get, set) => {
  if (get(sessionBase) === undefined && storedUser(get(backendAtom).config)) set(isSessionPendingAtom, true)
})

/** Reports an expired or used Auth link that opened this page, and clears the address. */
export const checkLinkAtom = atom(null, async (get, set) => {
  if (!(await isLinkExpired(get(backendAtom).client))) return
  clearAddress()
  set(linkProblemBase, 'This link has expired or was already used. Request a new one.')
})

export const signInAtom = atom(null, async (get, _set, email: string, password: string) => {
  await signIn(get(backendAtom).client, email, password)
})

export const signOutAtom = atom(null, async (get, set) => {
  const { client, config } = get(backendAtom)
  if (!get(isOfflineAtom)) return signOut(client)
  // Auth would wait up to 30 seconds for a pending refresh, and then also end any session started in the meantime.
  removeStoredSession(config)
  set(endSessionAtom)
  // Ends the pending refresh.
  tryAgain()
})

/** Changes the password and signs out all other devices. Resolves to whether the sign-out succeeded. */
export const changePasswordAtom = atom(null, async (get, set, password: string) => {
  const { client, config } = get(backendAtom)
  await changePassword(client, password)
  set(backendAtom, { client, config: { ...config, demoAccount: false } })
  return signOutOthers(client)
})
