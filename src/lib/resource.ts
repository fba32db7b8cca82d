import { atom, type Atom, type Getter } from 'jotai'
import { unwrap } from 'jotai/utils'

import { backendAtom } from './backend.ts'
import { isOfflineAtom } from './connection.ts'
import { AppError, toAppError } from './errors.ts'
import { type Answer, keeperOf } from './kept.ts'

/**
 * Data that is read from the backend. Once there, it stays while it is read again (`updating`) and when that fails
 * (`failure`), so that nothing on the screen jumps or vanishes. Without a network, what was never read here is what this
 * browser kept of an earlier visit (`isKept`).
 */
export type Resource<T> = { state: 'loading' } | { state: 'failed'; error: AppError } | Ready<T>

type Ready<T> = {
  state: 'ready'
  data: T
  updating: boolean
  failure: AppError | null
  readAt: number
  isKept: boolean
}

type Read<T> = (get: Getter, options: { signal: AbortSignal }) => Promise<T>

type Options = {
  /** By which name this browser keeps the last answer; without one it keeps none. */
  keptAs?: string
  /** Whether it changes only with what the read depends on: then it is not read again for who comes back to it. */
  isLasting?: boolean
}

type Last<T> = Answer<T> & { isKept: boolean }

const LOADING = { state: 'loading' } as const

/** Somebody looks at a resource now, or nobody any more. */
const SEEN = Symbol('seen')
const LEFT = Symbol('left')

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
  const memory = atom(() => new Map<number, Last<T>>())

  const settled = atom(async (get, options) => {
    get(version)
    const born = get(generation)
    const keeper = keptAs === undefined ? null : keeperOf<T>(get(backendAtom).config, keptAs)
    const last = lastOf(get(memory), born)
    const value = await (get(isOfflineAtom)
      ? recall(last, keeper)
      : attempt(() => read(get, options), last, keeper))
    return { born, value }
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

  const resource = atom(
    (get) => get(value),
    async (get, set, why?: typeof SEEN | typeof LEFT) => {
      if (why !== undefined) {
        set(seenBase, (seen) => (why === SEEN ? new Set(seen).add(value) : without(seen, value)))
        // It may be seen again at once, elsewhere on the screen; and what is on its way will be new enough.
        await Promise.resolve()
        if (why === SEEN || isLasting || get(seenBase).has(value) || get(shown).value.state === 'loading')
          return
      }
      set(version, (n) => n + 1)
      if (why === LEFT) return
      let newest
      do {
        newest = get(settled)
        await newest
      } while (newest !== get(settled))
    },
  )
  resource.onMount = (write) => {
    void write(SEEN)
    return () => void write(LEFT)
  }
  return resource
}

type Keeper<T> = ReturnType<typeof keeperOf<T>> | null
type Memory<T> = { get: () => Last<T> | undefined; set: (last: Last<T>) => void; clear: () => void }

/** What was last read, or recalled, for the present owner. */
function lastOf<T>(memory: Map<number, Last<T>>, born: number): Memory<T> {
  return {
    get: () => memory.get(born),
    set: (last) => {
      memory.clear()
      memory.set(born, last)
    },
    clear: () => memory.delete(born),
  }
}

async function attempt<T>(read: () => Promise<T>, last: Memory<T>, keeper: Keeper<T>): Promise<Resource<T>> {
  try {
    const answer = { data: await read(), readAt: Date.now() }
    last.set({ ...answer, isKept: false })
    keeper?.keep(answer)
    return readyFrom({ ...answer, isKept: false })
  } catch (cause) {
    const error = toAppError(cause)
    // What an earlier visit left is for want of a network alone.
    if (last.get()?.isKept) last.clear()
    const known = last.get()
    return known ? readyFrom(known, error) : { state: 'failed', error }
  }
}

async function recall<T>(last: Memory<T>, keeper: Keeper<T>): Promise<Resource<T>> {
  const kept = last.get() ? undefined : await keeper?.recall()
  if (kept) last.set({ ...kept, isKept: true })
  const known = last.get()
  if (known) return readyFrom(known)
  return { state: 'failed', error: new AppError('network', 'The backend cannot be reached') }
}

function readyFrom<T>(last: Last<T>, failure: AppError | null = null): Ready<T> {
  return { state: 'ready', ...last, updating: false, failure }
}

function without<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  return new Set([...set].filter((one) => one !== element))
}
