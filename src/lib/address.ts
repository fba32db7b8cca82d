import { atom } from 'jotai'
import { atomWithLazy } from 'jotai/utils'

/** What the address's fragment says: `#bike=123&tab=rides`. */
export type Address = Readonly<Record<string, string>>

/** `push` makes a step that Back undoes; `replace` does not. */
type Change = { set: Readonly<Record<string, string | null>>; by: 'push' | 'replace' }

// Read at first use, which is after Auth has taken its own parameters out of the fragment.
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

/** The fragment's parameters; writing changes some of them (null takes one out). */
export const addressAtom = atom(
  (get): Address => Object.fromEntries(new URLSearchParams(get(fragment).replace(/^#/, ''))),
  (get, set, change: Change) => {
    const next = new URLSearchParams(get(addressAtom))
    for (const [name, value] of Object.entries(change.set)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    const hash = next.size > 0 ? `#${next.toString()}` : ''
    if (hash === window.location.hash) return
    const url = hash || window.location.pathname + window.location.search
    if (change.by === 'push') window.history.pushState(null, '', url)
    else window.history.replaceState(null, '', url)
    set(fragment, hash)
  },
)

/** Takes everything out of the fragment, without a step that Back could undo. */
export function clearAddress(): void {
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
}
