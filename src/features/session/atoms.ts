import { atom } from 'jotai'

import { clearAddress } from '../../lib/address.ts'
import { backendAtom, storedUser, removeStoredSession, type Session, type User } from '../../lib/backend.ts'
import { isOfflineAtom, sessionWaitsAtom, tryAgain } from '../../lib/connection.ts'
import { clearCache } from '../../lib/cache.ts'
import { forgetResourcesAtom } from '../../lib/resource.ts'
import {
  changePassword,
  giveCode,
  isLinkRefused,
  lacksSecondFactor,
  requestRecovery,
  signIn,
  signOut,
  signOutOthers,
} from './api.ts'
import { wholeSession } from './rules.ts'

/** Undefined until Auth has looked for a stored session. */
const sessionBase = atom<Session | null | undefined>(undefined)
const userBase = atom<User | null>(null)
/** Whether a second factor has to be given first; undefined until that is known. */
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
  if (get(sessionWaitsAtom)) return 'waiting'
  const session = get(sessionBase)
  if (session === null) return 'signed-out'
  const lacksFactor = get(lacksFactorBase)
  if (session === undefined || lacksFactor === undefined) return 'checking'
  if (lacksFactor) return 'second-factor'
  return get(choosingPasswordBase) ? 'new-password' : 'signed-in'
})

/** Of the session, or of the one that waits to be renewed. */
const ownerAtom = atom(
  (get) => get(sessionBase)?.user ?? (get(sessionWaitsAtom) ? storedUser(get(backendAtom).config) : null),
)

/** The signed-in owner's id; null without a session. It stays the same when a token is refreshed. */
export const ownerIdAtom = atom((get) => get(ownerAtom)?.id ?? null)

/** The user who signed in, as Auth told it then; null when the session was restored. */
export const userAtom = atom((get) => get(userBase))

/** The signed-in owner's e-mail. */
export const emailAtom = atom((get) => (get(userAtom) ?? get(ownerAtom))?.email)

/** Whether a new password is being chosen. */
export const choosingPasswordAtom = atom(
  (get) => get(choosingPasswordBase),
  (_get, set, isChoosing: boolean) => set(choosingPasswordBase, isChoosing),
)

/** What is wrong with the link that led here; null when nothing is. */
export const linkProblemAtom = atom((get) => get(linkProblemBase))

/**
 * Follows Auth from now on; returns how to stop. Auth begins by telling the stored session, or that of a link from one
 * of its mails, so this has to be called as soon as the backend is connected.
 */
export const followSessionAtom = atom(null, (get, set) => {
  const { client } = get(backendAtom)
  const { data } = client.auth.onAuthStateChange((event, told) => {
    const session = wholeSession(told)
    // Whoever signs in now may be another one than before; nothing of the old is mounted at this moment.
    if (session && get(sessionStatusAtom) === 'signed-out') set(forgetResourcesAtom)
    if (!session) {
      set(lacksFactorBase, undefined)
      set(choosingPasswordBase, false)
      set(sessionWaitsAtom, false)
      void clearCache()
    }
    set(sessionBase, session)
    if (event === 'SIGNED_IN' && session) set(userBase, session.user)
    if (event === 'PASSWORD_RECOVERY' && session) set(choosingPasswordBase, true)
    // Chosen, here or in another tab: both were told of the link.
    if (event === 'USER_UPDATED') set(choosingPasswordBase, false)
    // Not awaited: Auth waits for its listeners.
    if (session) void reviewFactor(session)
  })
  return () => data.subscription.unsubscribe()

  async function reviewFactor(session: Session) {
    const lacksFactor = await lacksSecondFactor(client)
    if (get(sessionBase) !== session) return
    set(lacksFactorBase, lacksFactor)
    set(sessionWaitsAtom, false)
  }
})

/** Auth was not reached for a session: while the kept one is still looked for, it waits from now on. */
export const missSessionAtom = atom(null, (get, set) => {
  if (get(sessionBase) === undefined && storedUser(get(backendAtom).config)) set(sessionWaitsAtom, true)
})

/** Tells of a link that Auth refused, and takes what it says about that out of the address. */
export const reviewLinkAtom = atom(null, async (get, set) => {
  if (!(await isLinkRefused(get(backendAtom).client))) return
  clearAddress()
  set(linkProblemBase, 'This link has expired or was used before. Ask for a new one.')
})

export const signInAtom = atom(null, async (get, _set, email: string, password: string) => {
  await signIn(get(backendAtom).client, email, password)
})

export const signOutAtom = atom(null, async (get, set) => {
  const { client, config } = get(backendAtom)
  if (!get(isOfflineAtom)) return signOut(client)
  removeStoredSession(config)
  set(sessionBase, null)
  set(sessionWaitsAtom, false)
  void clearCache()
  // Tells the other tabs, once Auth has given up a refresh that may still wait.
  tryAgain()
  void client.auth.signOut({ scope: 'local' })
})

export const requestRecoveryAtom = atom(null, async (get, _set, email: string) => {
  await requestRecovery(get(backendAtom).client, email)
})

/** Changes the password, then signs out every other device; tells whether that was possible too. */
export const changePasswordAtom = atom(null, async (get, _set, password: string) => {
  const { client } = get(backendAtom)
  await changePassword(client, password)
  return signOutOthers(client)
})

export const giveCodeAtom = atom(null, async (get, _set, code: string) => {
  await giveCode(get(backendAtom).client, code)
})
