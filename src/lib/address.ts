import { atom } from 'jotai'
import { atomWithLazy } from 'jotai/utils'

import { closeEntry, pushEntry } from './history.ts'

/** The URL fragment's parameters: `#bike=123&tab=rides`, or `#garage&tab=lifetimes`, where `garage` is empty. */
export type Address = Readonly<Record<string, string>>

/** `open` pushes the address of something that Back closes. `close` goes back to where it was opened. */
type Change = {
  set: Readonly<Record<string, string | null>>
  by: 'push' | 'replace' | 'open' | 'close'
}

// Lazy, because Auth first removes its own parameters from the fragment.
const fragment = atomWithLazy(() => window.location.hash)
fragment.onMount = (set) => {
  const follow = () => set(window.location.hash)
  follow()
  window.addEventListener('popstate', follow)
  window.addEventListener('hashchange', follow)
  return () => {
    window.removeEventListener('popstate', follow)
    window.removeEventListener('hashchange', follow)
  }
}

/** The fragment's parameters. Writing sets the given parameters. A null value removes its parameter. */
export const addressAtom = atom(
  (get): Address => Object.fromEntries(new URLSearchParams(get(fragment).replace(/^#/, ''))),
  (get, set, change: Change) => {
    const next = new URLSearchParams(get(addressAtom))
    for (const [name, value] of Object.entries(change.set)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    const hash = next.size > 0 ? `#${next.toString().replaceAll(/=(?=&|$)/g, '')}` : ''
    if (hash === window.location.hash) return
    const url = hash || window.location.pathname + window.location.search
    const { history } = window
    if (change.by === 'push' || change.by === 'open') pushEntry(url, change.by === 'open')
    else history.replaceState(history.state, '', url)
    set(fragment, hash)
    if (change.by === 'close') closeEntry()
  },
)

/** Removes the fragment without adding a history entry. */
export function clearAddress(): void {
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
}
