import { atom, type Atom, type Getter } from 'jotai'
import { unwrap } from 'jotai/utils'

import { backendAtom } from './backend.ts'
import { isOfflineAtom, tryAgain } from './connection.ts'
import { cacheFor } from './cache.ts'
import { attempt, type Failed, type Last, type Memory, type Ready, recall } from './reading.ts'

/**
 * Data that is read from the backend. Once there, it stays while it is read again (`updating`) and when that fails
 * (`failure`), so that nothing on the screen jumps or vanishes. Without a network, what was never read here is what this
 * browser kept of an earlier visit (`isKept`).
 */
export type Resource<T> = { state: 'loading' } | Failed | Ready<T>

type Read<T> = (get: Getter, options: { signal: AbortSignal }) => Promise<T>

type Options = {
  /** By which name this browser keeps the last answer; without one it keeps none. */
  keptAs?: string
  /** Whether it changes only with what the read depends on: then it is not read again for who comes back to it. */
  isLasting?: boolean
}

const LOADING = { state: 'loading' } as const

const generation = atom(0)

/** What the resources that somebody looks at have to show. */
const seenBase = atom<ReadonlySet<Atom<Resource<unknown>>>>(new Set<Atom<Resource<unknown>>>())

/** Changes whenever all that was read is forgotten; what reads without being a resource depends on it. */
export const forgottenAtom = atom((get) => get(generation))

/** Forgets all that was read: the next owner of this browser tab starts from nothing. */
export const forgetResourcesAtom = atom(null, (_get, set) => set(generation, (n) => n + 1))

/**
 * Since when what is on the screen may be out of date, and whether any of it is from an earlier visit; null while it is
 * as new as the backend has it.
 */
export const outOfDateAtom = atom((get): { since: number; isKept: boolean } | null => {
  const ready = [...get(seenBase)].map((seen) => get(seen)).filter((seen) => seen.state === 'ready')
  const isKept = ready.some((seen) => seen.isKept)
  if (ready.length === 0 || !(isKept || get(isOfflineAtom))) return null
  return { since: Math.min(...ready.map(({ readAt }) => readAt)), isKept }
})

/**
 * An atom over an async read. Its value is a Resource; writing to it reads again and resolves when the newest read
 * has settled. The read may `get` other atoms before its first await and is repeated when they change. What nobody
 * looked at for a while is shown at once when somebody does again, and read again behind.
 */
export function resourceAtom<T>(read: Read<T>, { keptAs, isLasting = false }: Options = {}) {
  const version = atom(0)
  const answers = atom(() => new Map<number, Last<T>>())

  const settled = atom(async (get, options) => {
    get(version)
    const born = get(generation)
    const memory = memoryOf(get(answers), born)
    const keeper = keptAs === undefined ? null : cacheFor<T>(get(backendAtom).config, keptAs)
    const value = get(isOfflineAtom)
      ? recall(memory, keeper)
      : attempt(() => read(get, options), memory, keeper)
    return { born, value: await value }
  })
  const shown = unwrap(settled, (previous) =>
    previous?.value.state === 'ready'
      ? { ...previous, value: { ...previous.value, updating: true } }
      : { born: -1, value: LOADING },
  )
  const value = atom((get): Resource<T> => {
    const { born, value } = get(shown)
    return born === get(generation) ? value : LOADING
  })

  const reread = atom(null, async (get, set) => {
    tryAgain()
    set(version, (n) => n + 1)
    let newest
    do {
      newest = get(settled)
      await newest
    } while (newest !== get(settled))
  })
  const look = atom(null, async (get, set, isSeen: boolean) => {
    set(seenBase, (seen) => new Set([...seen].filter((one) => one !== value).concat(isSeen ? value : [])))
    if (isSeen || isLasting) return
    // It may be seen again at once, elsewhere on the screen; and what is on its way will be new enough.
    await Promise.resolve()
    const isOutOfDate = !get(seenBase).has(value) && get(shown).value.state !== 'loading'
    if (isOutOfDate) set(version, (n) => n + 1)
  })
  const resource = atom(
    (get) => get(value),
    (_get, set, isSeen?: boolean) => (isSeen === undefined ? set(reread) : set(look, isSeen)),
  )
  resource.onMount = (write) => {
    void write(true)
    return () => void write(false)
  }
  return resource
}

/** Of what was read, or recalled, for the present owner. */
function memoryOf<T>(answers: Map<number, Last<T>>, born: number): Memory<T> {
  return {
    get: () => answers.get(born),
    set(last) {
      answers.clear()
      if (last) answers.set(born, last)
    },
  }
}
