// @vitest-environment jsdom
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

import { isSessionPendingAtom } from '../../lib/connection.ts'
import { fakeStore } from '../../lib/fake-backend.ts'
import type { Session } from '../../lib/stored-session.ts'
import {
  awaitRefreshAtom,
  changeSessionAtom,
  choosingPasswordAtom,
  ownerIdAtom,
  restoreSessionAtom,
  sessionStatusAtom,
  signInAtom,
  signOutAtom,
  userAtom,
} from './atoms.ts'

/** Creates a store, to which the test sends Auth's events. Restores what is stored in this browser. */
function setUp() {
  const { store, backend } = fakeStore(() => new Response(null, { status: 500 }))
  const auth = vi.spyOn(backend, 'auth')
  onTestFinished(store.set(restoreSessionAtom))
  const emit = (event: string, session: Session | null) => store.set(changeSessionAtom, event, session)
  return { store, backend, auth, emit }
}

const token = (aal: string) => `header.${btoa(JSON.stringify({ aal }))}.signature`

const sessionOf = (id: string, extra: Partial<Session> = {}) =>
  ({
    access_token: token('aal1'),
    refresh_token: 'r',
    expires_at: 1,
    user: { id, email: `${id}@example.com` },
    ...extra,
  }) as Session

/** A session of an account with an authenticator app. */
const withFactor = (aal: string) =>
  sessionOf('ann', {
    access_token: token(aal),
    user: { id: 'ann', factors: [{ status: 'verified' }] } as Session['user'],
  })

const STORED = 'sb-backend-auth-token'

/** Like `setUp`, but with a stored session that Auth can't refresh, because Auth is unreachable. */
function setUpOffline() {
  localStorage.setItem(STORED, JSON.stringify(sessionOf('ann')))
  const started = setUp()
  started.store.set(awaitRefreshAtom)
  return started
}

function setUpSignedIn() {
  const started = setUpOffline()
  started.emit('SIGNED_IN', sessionOf('ann'))
  return started
}

afterEach(() => localStorage.clear())

const HOUR_S = 3600

test.each([
  ['without a session, is signed out', null, 'signed-out', null],
  ['with a fresh session, is signed in', HOUR_S, 'signed-in', 'ann'],
  ['with a session that must be refreshed, is checking', 60, 'checking', null],
])('%s', (_, expiresIn, status, owner) => {
  const expires_at = Date.now() / 1000 + (expiresIn ?? 0)
  if (expiresIn !== null) localStorage.setItem(STORED, JSON.stringify(sessionOf('ann', { expires_at })))
  const { store, auth } = setUp()
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual([status, owner])
  // Auth's code isn't needed yet.
  expect(auth).toHaveBeenCalledTimes(status === 'checking' ? 1 : 0)
})

test.each(['#access_token=a&refresh_token=r', '#error=access_denied&error_code=otp_expired', '?error=x'])(
  'is checking until Auth has read the link %s',
  (link) => {
    history.replaceState(null, '', `/${link}`)
    onTestFinished(() => history.replaceState(null, '', '/'))
    localStorage.setItem(STORED, JSON.stringify(sessionOf('ann', { expires_at: Date.now() / 1000 + HOUR_S })))
    const { store, auth } = setUp()
    expect(store.get(sessionStatusAtom)).toBe('checking')
    expect(auth).toHaveBeenCalledTimes(1)
  },
)

test('waits for Auth’s code with a stored session, and tries again', async () => {
  localStorage.setItem(STORED, JSON.stringify(sessionOf('ann')))
  const { store, backend } = fakeStore(() => Response.json({}))
  vi.spyOn(console, 'warn').mockReturnValue()
  const auth = vi.spyOn(backend, 'auth').mockRejectedValueOnce(new TypeError('Failed to fetch'))
  onTestFinished(store.set(restoreSessionAtom))
  await expect.poll(() => store.get(sessionStatusAtom)).toBe('waiting')
  expect(auth).toHaveBeenCalledTimes(1)
  window.dispatchEvent(new Event('online'))
  await expect.poll(() => auth.mock.calls.length).toBe(2)
})

test('does not store the user of a restored session', () => {
  const { store, emit } = setUp()
  emit('INITIAL_SESSION', sessionOf('ann'))
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
])('%s updates the session but not the user', (event) => {
  const { store, emit } = setUpSignedIn()
  emit(event, sessionOf('bob'))
  expect(store.get(ownerIdAtom)).toBe('bob')
  expect(store.get(userAtom)?.id).toBe('ann')
})

test('signing out ends the session', async () => {
  const { store, emit } = setUpSignedIn()
  emit('SIGNED_OUT', null)
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
})

test('ignores a session without a refresh token', async () => {
  const { store, emit } = setUp()
  emit('SIGNED_IN', sessionOf('ann', { refresh_token: '' }))
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
  expect(store.get(userAtom)).toBeNull()
})

test('asks for a missing second factor, then signs in', async () => {
  const { store, emit } = setUp()
  emit('SIGNED_IN', withFactor('aal1'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  emit('MFA_CHALLENGE_VERIFIED', withFactor('aal2'))
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})

test('after a reset link, asks for the second factor and then a new password', async () => {
  const { store, emit } = setUp()
  emit('PASSWORD_RECOVERY', withFactor('aal1'))
  expect(store.get(sessionStatusAtom)).toBe('second-factor')
  emit('MFA_CHALLENGE_VERIFIED', withFactor('aal2'))
  expect(store.get(sessionStatusAtom)).toBe('new-password')
  emit('USER_UPDATED', withFactor('aal2'))
  expect(store.get(sessionStatusAtom)).toBe('signed-in')
})

test('changing the password can be canceled', async () => {
  const { store } = setUpSignedIn()
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
  const signOut = vi.spyOn(await backend.auth(), 'signOut')
  await store.set(signOutAtom)
  expect([store.get(sessionStatusAtom), store.get(isSessionPendingAtom)]).toEqual(['signed-out', false])
  expect([localStorage.getItem(STORED), signOut.mock.calls]).toEqual([null, []])
})

test.each([
  ['waits for a refresh', setUpOffline],
  ['is signed in', setUpSignedIn],
])('signing out in another tab without Auth also signs out a tab that %s', (_, start) => {
  const { store } = start()
  window.dispatchEvent(new StorageEvent('storage', { key: 'other' }))
  expect(store.get(sessionStatusAtom)).not.toBe('signed-out')
  localStorage.removeItem(STORED)
  window.dispatchEvent(new StorageEvent('storage', { key: STORED }))
  expect([store.get(sessionStatusAtom), store.get(ownerIdAtom)]).toEqual(['signed-out', null])
})

test.each([401, 403, 404])('signs out of a session that Auth no longer knows (%d)', async (status) => {
  const unknown = { code: status, error_code: 'session_not_found', msg: 'Unknown' }
  const { store, backend } = fakeStore(({ path }) =>
    path.includes('/token')
      ? Response.json({ ...sessionOf('ann'), expires_at: undefined, expires_in: 3600, token_type: 'bearer' })
      : Response.json(unknown, { status }),
  )
  const auth = await backend.auth()
  auth.onAuthStateChange((...change) => store.set(changeSessionAtom, ...change))
  await store.set(signInAtom, 'ann@example.com', 'password')
  await expect.poll(() => store.get(sessionStatusAtom)).toBe('signed-in')
  await store.set(signOutAtom)
  expect(store.get(sessionStatusAtom)).toBe('signed-out')
})
