// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'

import type { Session } from '../../lib/backend.ts'
import { isSessionPendingAtom } from '../../lib/connection.ts'
import { fakeStore } from '../../lib/fake-backend.ts'
import {
  awaitRefreshAtom,
  choosingPasswordAtom,
  followSessionAtom,
  ownerIdAtom,
  sessionStatusAtom,
  signInAtom,
  signOutAtom,
  userAtom,
} from './atoms.ts'

type Listener = (event: string, session: Session | null) => void

/** Creates a store that follows a fake Auth, whose events the test emits. */
function setUp({ nextLevel = 'aal1', currentLevel = 'aal1' } = {}) {
  const { store, backend } = fakeStore(() => new Response(null, { status: 500 }))
  const listeners: Listener[] = []
  backend.client.auth.onAuthStateChange = ((listener: Listener) => {
    listeners.push(listener)
    return { data: { subscription: { unsubscribe: () => listeners.pop() } } }
  }) as unknown as typeof backend.client.auth.onAuthStateChange
  const levels = { currentLevel, nextLevel, currentAuthenticationMethods: [] }
  vi.spyOn(backend.client.auth.mfa, 'getAuthenticatorAssuranceLevel').mockImplementation(() =>
    Promise.resolve({ data: levels, error: null }),
  )
  const stop = store.set(followSessionAtom)
  return {
    store,
    backend,
    stop,
    listeners,
    levels,
    emit: (event: string, session: Session | null) => {
      listeners.at(-1)?.(event, session)
      // The assurance level is read after the event.
      return expect.poll(() => store.get(sessionStatusAtom)).not.toBe('checking')
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

const STORED = 'sb-backend-auth-token'

/** Like `setUp`, but with a stored session that Auth can't refresh, because Auth is unreachable. */
function setUpOffline() {
  localStorage.setItem(STORED, JSON.stringify(sessionOf('ann')))
  const started = setUp()
  started.store.set(awaitRefreshAtom)
  return started
}

async function setUpSignedIn() {
  const started = setUpOffline()
  await started.emit('SIGNED_IN', sessionOf('ann'))
  return started
}

test('is checking until the assurance level of the stored session is known, and does not store its user', async () => {
  const { store, emit } = setUp()
  expect(store.get(sessionStatusAtom)).toBe('checking')
  const emitted = emit('INITIAL_SESSION', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('checking')
  await emitted
  const [status, owner, user] = [sessionStatusAtom, ownerIdAtom, userAtom].map((one) =>
    store.get<unknown>(one),
  )
  expect([status, owner, user]).toEqual(['signed-in', 'ann', null])
})

test.each([
  'INITIAL_SESSION',
  'TOKEN_REFRESHED',
  'USER_UPDATED',
  'PASSWORD_RECOVERY',
  'MFA_CHALLENGE_VERIFIED',
])('%s updates the session but not the user', async (event) => {
  const { store, emit } = await setUpSignedIn()
  await emit(event, sessionOf('bob'))
  expect(store.get(ownerIdAtom)).toBe('bob')
  expect(store.get(userAtom)?.id).toBe('ann')
})

test('signing out ends the session', async () => {
  const { store, emit } = await setUpSignedIn()
  await emit('SIGNED_OUT', null)
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
})

test('ignores a session without a refresh token', async () => {
  const { store, emit } = setUp()
  await emit('SIGNED_IN', sessionOf('ann', { refresh_token: '' }))
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
  expect(store.get(userAtom)).toBeNull()
})

test('stops following Auth', () => {
  const { stop, listeners } = setUp()
  stop()
  expect(listeners).toEqual([])
})

test('asks for a missing second factor, then signs in', async () => {
  const { store, emit, levels } = setUp({ nextLevel: 'aal2' })
  await emit('SIGNED_IN', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  levels.currentLevel = 'aal2'
  await emit('MFA_CHALLENGE_VERIFIED', sessionOf('ann'))
  await expect.poll(() => store.get(sessionStatusAtom)).toBe('signed-in')
})

test('after a reset link, asks for the second factor and then a new password', async () => {
  const { store, emit, levels } = setUp({ nextLevel: 'aal2' })
  await emit('PASSWORD_RECOVERY', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  levels.currentLevel = 'aal2'
  await emit('MFA_CHALLENGE_VERIFIED', sessionOf('ann'))
  await expect.poll(() => store.get(sessionStatusAtom)).toBe('new-password')
  await emit('USER_UPDATED', sessionOf('ann'))
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})

test('changing the password can be canceled', async () => {
  const { store } = await setUpSignedIn()
  store.set(choosingPasswordAtom, true)
  expect(store.get(sessionStatusAtom)).toBe('new-password')
  store.set(choosingPasswordAtom, false)
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})

test('without Auth, waits for the stored session to be refreshed', () => {
  const { store } = setUpOffline()
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['waiting', 'ann'])
})

// Auth would first wait for the refresh, and then also end any session started in the meantime.
test('signing out without Auth ends the stored session immediately and leaves a later one alone', async () => {
  const { store, backend } = setUpOffline()
  const signOut = vi.spyOn(backend.client.auth, 'signOut')
  await store.set(signOutAtom)
  expect([store.get(sessionStatusAtom), store.get(isSessionPendingAtom)]).toEqual(['signed-out', false])
  expect([localStorage.getItem(STORED), signOut.mock.calls]).toEqual([null, []])
})

test.each([
  ['waits for a refresh', setUpOffline],
  ['is signed in', setUpSignedIn],
])('signing out in another tab without Auth also signs out a tab that %s', async (_, start) => {
  const { store, stop } = await start()
  window.dispatchEvent(new StorageEvent('storage', { key: 'other' }))
  expect(store.get(sessionStatusAtom)).not.toBe('signed-out')
  localStorage.removeItem(STORED)
  window.dispatchEvent(new StorageEvent('storage', { key: STORED }))
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
  stop()
})

test.each([401, 403, 404])('signs out of a session that Auth no longer knows (%d)', async (status) => {
  const unknown = { code: status, error_code: 'session_not_found', msg: 'Unknown' }
  const { store } = fakeStore(({ path }) =>
    path.includes('/token')
      ? Response.json({ ...sessionOf('ann'), expires_at: undefined, expires_in: 3600, token_type: 'bearer' })
      : Response.json(unknown, { status }),
  )
  const stop = store.set(followSessionAtom)
  await store.set(signInAtom, 'ann@example.com', 'password')
  await expect.poll(() => store.get(sessionStatusAtom)).toBe('signed-in')
  await store.set(signOutAtom)
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
  stop()
})
