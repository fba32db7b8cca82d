import { type Atom, atom, type createStore } from 'jotai'

import { sessionStatusAtom } from '../features/session/atoms.ts'

type Store = ReturnType<typeof createStore>

/** How long the first render waits. After that, it has placeholders. */
const WAIT_MS = 1000

export const isMainScreenAtom = atom((get) => ['signed-in', 'waiting'].includes(get(sessionStatusAtom)))

const isSessionKnownAtom = atom((get) => get(sessionStatusAtom) !== 'checking')

/**
 * Resolves once the first screen can be rendered with what it shows, so the page is built once and not first with placeholders.
 * Never rejects.
 */
export async function readFirstScreen(store: Store, mainScreenAtom: Atom<unknown>): Promise<void> {
  await Promise.race([read(store, mainScreenAtom), pause(WAIT_MS)])
}

async function read(store: Store, mainScreenAtom: Atom<unknown>) {
  await becomes(store, isSessionKnownAtom)
  if (!store.get(isMainScreenAtom)) return
  store.get(mainScreenAtom)
  const screen = await import('./MainScreen.tsx').catch(() => null)
  if (screen) await store.set(screen.readPageAtom)
  // What has arrived is in its atoms then.
  await pause(0)
}

/** Resolves once an atom is true. */
export async function becomes(store: Store, isReady: Atom<boolean>): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!store.get(isReady)) return
      stop()
      resolve()
    }
    const stop = store.sub(isReady, look)
    look()
  })
}

/** Resolves in another task. */
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
