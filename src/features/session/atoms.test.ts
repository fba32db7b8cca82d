import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { backendAtom, type Session } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import { choosingPasswordAtom, followSessionAtom, ownerIdAtom, sessionStatusAtom, userAtom } from './atoms.ts'

type Listener = (event: string, session: Session | null) => void

/** A store that follows an Auth of which the test says the events. */
function setUp({ nextLevel = 'aal1', currentLevel = 'aal1' } = {}) {
  const { backend } = fakeBackend(() => new Response(null, { status: 500 }))
  const listeners: Listener[] = []
  backend.client.auth.onAuthStateChange = ((listener: Listener) => {
    listeners.push(listener)
    return { data: { subscription: { unsubscribe: () => listeners.pop() } } }
  }) as unknown as typeof backend.client.auth.onAuthStateChange
  const levels = { currentLevel, nextLevel, currentAuthenticationMethods: [] }
  vi.spyOn(backend.client.auth.mfa, 'getAuthenticatorAssuranceLevel').mockImplementation(() =>
    Promise.resolve({ data: levels, error: null }),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.set(followSessionAtom)
  return {
    store,
    stop,
    listeners,
    levels,
    tell: (event: string, session: Session | null) => {
      listeners.at(-1)?.(event, session)
      // The level of the session is looked up behind it.
      return vi.waitUntil(() => store.get(sessionStatusAtom) !== 'checking')
    },
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

test('a stored session is restored, without a user having signed in', async () => {
  const { store, tell } = setUp()
  await tell('INITIAL_SESSION', sessionOf('ann'))
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
])('the session follows %s and the user does not', async (event) => {
  const { store, tell } = setUp()
  await tell('SIGNED_IN', sessionOf('ann'))
  await tell(event, sessionOf('bob'))
  expect(store.get(ownerIdAtom)).toBe('bob')
  expect(store.get(userAtom)?.id).toBe('ann')
})

test('signing out ends the session', async () => {
  const { store, tell } = setUp()
  await tell('SIGNED_IN', sessionOf('ann'))
  await tell('SIGNED_OUT', null)
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
})

test('a session without its refresh token counts as none', async () => {
  const { store, tell } = setUp()
  await tell('SIGNED_IN', sessionOf('ann', { refresh_token: '' }))
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
  expect(store.get(userAtom)).toBeNull()
})

test('nothing is followed any more after stopping', () => {
  const { stop, listeners } = setUp()
  stop()
  expect(listeners).toEqual([])
})

test('a session that lacks its second factor is asked for it, and let in once it is given', async () => {
  const { store, tell, levels } = setUp({ nextLevel: 'aal2' })
  await tell('SIGNED_IN', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  levels.currentLevel = 'aal2'
  await tell('MFA_CHALLENGE_VERIFIED', sessionOf('ann'))
  await vi.waitFor(() => expect(store.get(sessionStatusAtom)).toBe('signed-in'))
})

test('until the level of a session is known, nothing is shown', () => {
  const { store, tell } = setUp()
  const told = tell('SIGNED_IN', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('checking')
  return told
})

test('who comes by the link for a forgotten password chooses a new one, after the second factor', async () => {
  const { store, tell, levels } = setUp({ nextLevel: 'aal2' })
  await tell('PASSWORD_RECOVERY', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  levels.currentLevel = 'aal2'
  await tell('MFA_CHALLENGE_VERIFIED', sessionOf('ann'))
  await vi.waitFor(() => expect(store.get(sessionStatusAtom)).toBe('new-password'))
  await tell('USER_UPDATED', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})

test('changing the password can be begun and left', async () => {
  const { store, tell } = setUp()
  await tell('SIGNED_IN', sessionOf('ann'))
  store.set(choosingPasswordAtom, true)
  expect(store.get(sessionStatusAtom)).toBe('new-password')
  store.set(choosingPasswordAtom, false)
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})
