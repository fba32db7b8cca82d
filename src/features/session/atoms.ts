import { atom } from 'jotai'

import { backendAtom, type Session, type User } from '../../lib/backend.ts'
import { forgetResourcesAtom } from '../../lib/resource.ts'
import { signIn, signOut } from './api.ts'
import { wholeSession } from './rules.ts'

/** Undefined until Auth has looked for a stored session. */
const sessionBase = atom<Session | null | undefined>(undefined)
const userBase = atom<User | null>(null)

export type SessionStatus = 'checking' | 'signed-out' | 'signed-in'

export const sessionStatusAtom = atom((get): SessionStatus => {
  const session = get(sessionBase)
  if (session === undefined) return 'checking'
  return session ? 'signed-in' : 'signed-out'
})

/** The signed-in owner's id; null without a session. It stays the same when a token is refreshed. */
export const ownerIdAtom = atom((get) => get(sessionBase)?.user.id ?? null)

/** The user who signed in, as Auth told it then; null when the session was restored. */
export const userAtom = atom((get) => get(userBase))

/** The signed-in owner's e-mail. */
export const emailAtom = atom((get) => (get(userAtom) ?? get(sessionBase)?.user)?.email)

/** Follows Auth from now on; returns how to stop. Auth begins by telling the stored session. */
export const followSessionAtom = atom(null, (get, set) => {
  const { data } = get(backendAtom).client.auth.onAuthStateChange((event, told) => {
    const session = wholeSession(told)
    // Whoever signs in now may be another one than before; nothing of the old is mounted at this moment.
    if (session && get(sessionBase) === null) set(forgetResourcesAtom)
    set(sessionBase, session)
    if (event === 'SIGNED_IN' && session) set(userBase, session.user)
  })
  return () => data.subscription.unsubscribe()
})

export const signInAtom = atom(null, async (get, _set, email: string, password: string) => {
  await signIn(get(backendAtom).client, email, password)
})

export const signOutAtom = atom(null, async (get) => {
  await signOut(get(backendAtom).client)
})
