import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { backendAtom, type Session } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import { followSessionAtom, ownerIdAtom, sessionStatusAtom, userAtom } from './atoms.ts'

type Listener = (event: string, session: Session | null) => void

/** A store that follows an Auth of which the test says the events. */
function setUp() {
  const { backend } = fakeBackend(() => new Response(null, { status: 500 }))
  const listeners: Listener[] = []
  backend.client.auth.onAuthStateChange = ((listener: Listener) => {
    listeners.push(listener)
    return { data: { subscription: { unsubscribe: () => listeners.pop() } } }
  }) as unknown as typeof backend.client.auth.onAuthStateChange
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.set(followSessionAtom)
  return {
    store,
    stop,
    listeners,
    tell: (event: string, session: Session | null) => listeners.at(-1)?.(event, session),
  }
}

const sessionOf = (id: string, extra: Partial<Session> = {}) =>
  ({
    access_token: 'a',
    refresh_token: 'r',
    expires_at: 1,
    user: { id, email: `${id}@example.com` },
    ...extra,
  }) as Session

test('before Auth has spoken nobody is known to be signed in or out', () => {
  expect(setUp().store.get(sessionStatusAtom)).toBe('checking')
})

test('a stored session is restored, without a user having signed in', () => {
  const { store, tell } = setUp()
  tell('INITIAL_SESSION', sessionOf('ann'))
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom), store.get(userAtom)]).toEqual([
    'signed-in',
    'ann',
    null,
  ])
})

test.each([
  'INITIAL_SESSION',
  'TOKEN_REFRESHED',
  'USER_UPDATED',
  'PASSWORD_RECOVERY',
  'MFA_CHALLENGE_VERIFIED',
])('the session follows %s and the user does not', (event) => {
  const { store, tell } = setUp()
  tell('SIGNED_IN', sessionOf('ann'))
  tell(event, sessionOf('bob'))
  expect(store.get(ownerIdAtom)).toBe('bob')
  expect(store.get(userAtom)?.id).toBe('ann')
})

test('signing out ends the session', () => {
  const { store, tell } = setUp()
  tell('SIGNED_IN', sessionOf('ann'))
  tell('SIGNED_OUT', null)
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
})

test('a session without its refresh token counts as none', () => {
  const { store, tell } = setUp()
  tell('SIGNED_IN', sessionOf('ann', { refresh_token: '' }))
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
  expect(store.get(userAtom)).toBeNull()
})

test('nothing is followed any more after stopping', () => {
  const { stop, listeners } = setUp()
  stop()
  expect(listeners).toEqual([])
})
