import { atom } from 'jotai'
import { startTransition } from 'react'

import { clearAddress } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { isOfflineAtom, isSessionPendingAtom, loadUntilThere, tryAgain } from '../../lib/connection.ts'
import { clearCache } from '../../lib/cache.ts'
import { forgetFirstReads } from '../../lib/first-reads.ts'
import { clearResourcesAtom } from '../../lib/resource.ts'
import {
  completeSession,
  removeStoredSession,
  storedSession,
  storedUser,
  usableSession,
  type Session,
  type User,
} from '../../lib/stored-session.ts'
import { changePassword, isLinkExpired, signIn, signOut, signOutOthers } from './api.ts'
import { lacksSecondFactor } from './rules.ts'

/** Undefined until the stored session has been checked, by Auth if it must be refreshed or a link has opened the page. */
const sessionBase = atom<Session | null | undefined>(undefined)
const userBase = atom<User | null>(null)
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
  if (session === undefined) return 'checking'
  if (lacksSecondFactor(session)) return 'second-factor'
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
  set(choosingPasswordBase, false)
  set(isSessionPendingAtom, false)
  void clearCache()
  forgetFirstReads()
})

/** Changes the session after one of Auth's events. */
export const changeSessionAtom = atom(null, (get, set, event: string, given: Session | null) => {
  const session = completeSession(given)
  // Another user may be signing in. The previous user's data is no longer mounted.
  if (session && get(sessionStatusAtom) === 'signed-out') set(clearResourcesAtom)
  if (session) {
    set(sessionBase, session)
    set(isSessionPendingAtom, false)
  } else set(endSessionAtom)
  if (event === 'SIGNED_IN' && session) set(userBase, session.user)
  if (event === 'PASSWORD_RECOVERY' && session) set(choosingPasswordBase, true)
  // Auth sends the recovery event to all tabs, so another tab may have changed the password.
  if (event === 'USER_UPDATED') set(choosingPasswordBase, false)
})

// What Auth adds to the address that its links lead to.
const LINK = /[#?&](?:access_token|error|error_code|error_description)=/

/**
 * Restores the session of this browser. Call it as soon as the backend is connected. Auth's code is only needed now if the
 * session must be refreshed or a link of Auth has opened the page. Returns a stop function.
 */
export const restoreSessionAtom = atom(null, (get, set) => {
  const { config } = get(backendAtom)
  if (!LINK.test(location.href))
    set(sessionBase, storedSession(config) && (usableSession(config) ?? undefined))
  if (get(sessionBase) === undefined) void set(connectAuthAtom)
  // Another tab may sign out while Auth is unreachable, which Auth doesn't report.
  const checkStorage = () => {
    if (!storedUser(config)) set(endSessionAtom)
  }
  window.addEventListener('storage', checkStorage)
  return () => window.removeEventListener('storage', checkStorage)
})

/**
 * Loads Auth, which refreshes the session and follows other tabs from then on. Reports an expired or used link of Auth that opened
 * the page, and clears the address.
 */
export const connectAuthAtom = atom(null, async (get, set) => {
  const auth = await loadUntilThere(get(backendAtom).auth, () => set(awaitRefreshAtom))
  if (!(await isLinkExpired(auth))) return
  clearAddress()
  set(linkProblemBase, 'This link has expired or was already used. Request a new one.')
})

/** Marks a stored session that isn't restored yet as waiting for a refresh. Call it if Auth is unreachable. */
export const awaitRefreshAtom = atom(null, (get, set) => {
  if (get(sessionBase) === undefined && storedUser(get(backendAtom).config)) set(isSessionPendingAtom, true)
})

export const signInAtom = atom(null, async (get, _set, email: string, password: string) => {
  await signIn(await get(backendAtom).auth(), email, password)
})

export const signOutAtom = atom(null, async (get, set) => {
  const { auth, config } = get(backendAtom)
  if (!get(isOfflineAtom)) return signOut(await auth())
  // Auth would wait up to 30 seconds for a pending refresh, and then also end any session started in the meantime.
  removeStoredSession(config)
  set(endSessionAtom)
  // Ends the pending refresh.
  tryAgain()
})

/** Changes the password and signs out all other devices. Resolves to whether the sign-out succeeded. */
export const changePasswordAtom = atom(null, async (get, set, password: string) => {
  const backend = get(backendAtom)
  const auth = await backend.auth()
  await changePassword(auth, password)
  set(backendAtom, { ...backend, config: { ...backend.config, demoAccount: false } })
  return signOutOthers(auth)
})
