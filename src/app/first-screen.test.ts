// @vitest-environment jsdom
import { atom, type PrimitiveAtom } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { bikesAtom } from '../features/bikes/atoms.ts'
import { checksAtom } from '../features/checks/atoms.ts'
import { logAtom } from '../features/entries/log.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { garageAtom } from '../features/garage/atoms.ts'
import { dueAtom } from '../features/service/atoms.ts'
import { type SessionStatus, sessionStatusAtom } from '../features/session/atoms.ts'
import { fakeStore } from '../lib/fake-backend.ts'
import type { ResourceAtom } from '../lib/resource.ts'
import { readFirstScreen } from './first-screen.ts'
// Loaded before the clock stands still.
import './BikePage.tsx'
import './MainScreen.tsx'

vi.mock('../features/session/atoms.ts', async (load) => ({
  ...(await load<object>()),
  sessionStatusAtom: atom('checking'),
}))

const BIKE = { gear_id: 7, name: 'Road', alias_ids: [], is_retired: false, counts_as_retired: false }
/** Its log was moved to the other bike. */
const FORMER = { ...BIKE, gear_id: 6, attached_to: 7 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  location.hash = ''
  vi.useRealTimers()
})

/** Opens an address with a session. Requests whose path contains `held` are never answered. */
function open(hash: string, held = 'nothing') {
  location.hash = hash
  const { store, sent } = fakeStore(({ path }) => {
    if (path.includes(held)) return new Promise<never>(() => undefined)
    return Response.json(path.includes('/bikes') ? [BIKE, FORMER] : [])
  })
  const onReady = vi.fn<() => void>()
  void readFirstScreen(store, atom(null)).then(onReady)
  const signIn = () => store.set(sessionStatusAtom as PrimitiveAtom<SessionStatus>, 'signed-in')
  return { store, sent, onReady, signIn }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test.each<[string, ResourceAtom<unknown>[]]>([
  ['#garage', [bikesAtom, dueAtom, garageAtom, checksAtom]],
  ['#bike=7', [bikesAtom, dueAtom, logAtom(7), usageAtom(7)]],
])('at %s, waits for what it shows', async (hash, resources) => {
  const { store, onReady, signIn } = open(hash)
  signIn()
  await wait(500)
  expect(onReady).toHaveBeenCalled()
  for (const one of resources) expect(store.get(one).state).not.toBe('loading')
})

test('reads a bike’s log without waiting for the list of bikes', async () => {
  const { sent, signIn } = open('#bike=7', '/bikes')
  signIn()
  await wait(500)
  expect(sent.map(({ path }) => path)).toContain('/rest/v1/rpc/log_items')
})

test('reads the log of a bike that the address has an earlier ID of', async () => {
  const { store, signIn } = open('#bike=6')
  signIn()
  await wait(500)
  const states = [store.get(logAtom(7)).state, store.get(usageAtom(7)).state]
  expect(states).not.toContain('loading')
})

test('waits for a second at most', async () => {
  const { store, onReady, signIn } = open('#garage', 'to-check')
  signIn()
  await wait(999)
  expect(onReady).not.toHaveBeenCalled()
  await wait(1)
  expect(onReady).toHaveBeenCalled()
  expect(store.get(checksAtom).state).toBe('loading')
})

test('reads nothing until the session is known', async () => {
  const { sent, onReady } = open('#garage')
  await wait(999)
  expect(sent).toEqual([])
  expect(onReady).not.toHaveBeenCalled()
  await wait(1)
  expect(onReady).toHaveBeenCalled()
})
