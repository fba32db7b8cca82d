import { atom, type Atom, type Getter, type WritableAtom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from './backend.ts'
import { type Cache, cacheFor, type Snapshot } from './cache.ts'
import { todayAtom } from './clock.ts'
import { isOfflineAtom, tryAgain } from './connection.ts'
import type { Day } from './days.ts'
import { AppError, toAppError } from './errors.ts'
import { type Input, readKeys, touchedKeys } from './inputs.ts'
import { nextInSequence } from './sequence.ts'
import { unwrapInTransition } from './unwrap-in-transition.ts'
import { savedIdsAtom, type SavedIds, unreadAtom, type Waiting } from './waiting.ts'

export type Ready<T> = {
  state: 'ready'
  data: T
  updating: boolean
  failure: AppError | null
  /** The time of the read, in milliseconds since 1970. */
  readAt: number
  /** When the read began, in this tab's sequence. 0: earlier than everything in this tab. */
  order: number
  fromCache: boolean
}

type Failed = { state: 'failed'; error: AppError }

/**
 * Data read from the backend. Once ready, it stays ready while it is read again (`updating`) and if that fails
 * (`failure`), so nothing on the screen jumps or vanishes. Offline, it falls back to cached data (`fromCache`).
 */
export type Resource<T> = { state: 'loading' } | Failed | Ready<T>

export function isSettled(resource: Resource<unknown>): boolean {
  return resource.state === 'failed' || (resource.state === 'ready' && !resource.updating)
}

type Read<T> = (get: Getter, options: { signal: AbortSignal }) => Promise<T>

/** What this browser knows besides: the IDs of what it has saved, and the rider's day. */
export type Known = { saved: ReadonlyMap<number, SavedIds>; today: Day }

type Options<T> = {
  /** The inputs from which the data is computed. */
  reads: readonly Input[]
  /** The name under which the data is cached for offline use. Without it, the data isn't cached. */
  cacheAs?: string
  /** Returns the data as it will be once the changes that wait are saved. */
  applyWaiting?: (data: T, waiting: readonly Waiting[], known: Known) => T
  refetchOnMount?: boolean
}

export type ResourceAtom<T> = Atom<Resource<T>> & {
  /** Repeats the read, and resolves when the newest read has settled. */
  reloadAtom: WritableAtom<null, [], Promise<void>>
  /** Resolves when the newest read has settled, or at once if the resource isn't mounted. */
  settleAtom: WritableAtom<null, [], Promise<void>>
  /** Reads the data if it isn't in memory, even if nothing shows it. Resolves to what was read, without what waits. */
  readAtom: WritableAtom<null, [], Promise<Ready<T> | Failed>>
}

/** Creates an atom that reads resources that aren't in memory, and resolves when they have settled. */
export const readAll = (...resources: readonly Pick<ResourceAtom<unknown>, 'readAtom'>[]) =>
  atom(null, (_get, set) => Promise.all(resources.map(({ readAtom }) => set(readAtom))))

/** The latest data. */
type Memory<T> = { latest?: (Snapshot<T> & { order: number; fromCache: boolean }) | undefined }

/** How long the data of an unmounted resource stays in memory. */
const UNUSED_MS = 10 * 60_000

const LOADING = { state: 'loading' } as const

const generation = atom(0)

const mountedBase = atom<ReadonlySet<Atom<Resource<unknown>>>>(new Set<Atom<Resource<unknown>>>())

export const resourceGenerationAtom = atom((get) => get(generation))

/** Clears all resources, so the next user of this browser tab doesn't see the previous user's data. */
export const clearResourcesAtom = atom(null, (_get, set) => set(generation, (n) => n + 1))

/** The read time of the oldest data on the screen, and whether any data is cached. Null while all data is fresh. */
export const stalenessAtom = atom((get): { since: number; fromCache: boolean } | null => {
  const ready = [...get(mountedBase)].map((mounted) => get(mounted)).filter((one) => one.state === 'ready')
  const fromCache = ready.some((one) => one.fromCache)
  if (ready.length === 0 || !(fromCache || get(isOfflineAtom))) return null
  return { since: Math.min(...ready.map(({ readAt }) => readAt)), fromCache }
})

/** Whether everything on the screen has been read. False before anything is. */
export const isEverythingReadAtom = atom((get) => {
  const mounted = [...get(mountedBase)].map((one) => get(one))
  return mounted.length > 0 && mounted.every(isSettled)
})

const touchCountAtom = atomFamily((_key: string) => atom(0))

/** Repeats a read when one of the inputs is touched. Resources do this by themselves. */
export function repeatWhenTouched(get: Getter, inputs: readonly Input[]): void {
  for (const key of inputs.flatMap(readKeys)) get(touchCountAtom(key))
}

/**
 * Tells the resources in this tab what has changed. Those that read it are read again: now if they are mounted, else when
 * they are next mounted.
 */
export const touchHereAtom = atom(null, (_get, set, inputs: readonly Input[]) => {
  for (const key of new Set(inputs.flatMap(touchedKeys))) set(touchCountAtom(key), (n) => n + 1)
})

/** The timers of the resources that were used recently, which also hold them. */
const recent = new Map<Atom<unknown>, ReturnType<typeof setTimeout>>()

function keep(resource: Atom<unknown>, forget?: () => void): void {
  clearTimeout(recent.get(resource))
  const end = () => {
    recent.delete(resource)
    forget?.()
  }
  recent.set(resource, setTimeout(end, UNUSED_MS))
}

/**
 * Creates a Resource atom from an async read. The read may `get` other atoms before its first await and is repeated when
 * they change. A resource that is mounted again shows its data immediately and, with `refetchOnMount`, updates it in the
 * background. Ten minutes after the last use, the data is forgotten.
 */
export function resourceAtom<T>(
  { reads, cacheAs, applyWaiting, refetchOnMount = true }: Options<T>,
  read: Read<T>,
): ResourceAtom<T> {
  const version = atom(0)
  const isForgotten = atom(false)
  /** Atoms that hold the data. New ones replace them to forget it. */
  const held = atom((get) => {
    get(generation)
    get(isForgotten)
    const memory: Memory<T> = {}
    const settled = atom(async (get, options) => {
      get(version)
      repeatWhenTouched(get, reads)
      if (!recent.has(resource)) keep(resource)
      const cache = cacheAs === undefined ? null : cacheFor<T>(get(backendAtom).config, cacheAs)
      return get(isOfflineAtom)
        ? loadOffline(memory, cache)
        : fetchAndCache(() => read(get, options), memory, cache)
    })
    const shown = unwrapInTransition(settled, (previous) =>
      previous?.state === 'ready' ? { ...previous, updating: true } : LOADING,
    )
    return { settled, shown }
  })
  const value = atom((get) => {
    const shown = get(isForgotten) ? LOADING : get(get(held).shown)
    if (!applyWaiting || shown.state !== 'ready') return shown
    const [waiting, saved] = [get(unreadAtom)(shown.order), get(savedIdsAtom)]
    return waiting.length + saved.size === 0
      ? shown
      : { ...shown, data: applyWaiting(shown.data, waiting, { saved, today: get(todayAtom) }) }
  })
  // Not the value itself, which `stalenessAtom` mounts, too.
  const resource: Atom<Resource<T>> = atom((get) => {
    get(mounting)
    return get(value)
  })

  const settle = atom(null, async (get) => {
    const newest = () => get(get(held).settled)
    let settled
    let result
    do {
      settled = newest()
      result = await settled
    } while (settled !== newest())
    return result
  })
  const readAtom = atom(null, async (get, set) => {
    // So the resource has the data as soon as it is read.
    get(resource)
    return set(settle)
  })
  const reloadAtom = atom(null, async (_get, set) => {
    tryAgain()
    set(version, (n) => n + 1)
    await set(settle)
  })
  const settleAtom = atom(null, async (get, set) => {
    if (get(mountedBase).has(value)) await set(settle)
  })

  const forget = atom(null, (get, set) => {
    if (get(mountedBase).has(value)) return
    set(isForgotten, true)
    // Atoms hold their last value until they are read.
    get(held)
    get(resource)
    set(isForgotten, false)
  })
  const mounting = atom(null, async (get, set, isMounted: boolean) => {
    set(mountedBase, (all) => new Set([...all].filter((one) => one !== value).concat(isMounted ? value : [])))
    if (isMounted) return
    keep(resource, () => set(forget))
    if (!refetchOnMount) return
    // Not stale if another component mounts the resource right away, or while its first read is in progress.
    await Promise.resolve()
    const isStale = !get(mountedBase).has(value) && get(value).state !== 'loading'
    if (isStale) set(version, (n) => n + 1)
  })
  mounting.onMount = (setMounted) => {
    void setMounted(true)
    return () => void setMounted(false)
  }
  return Object.assign(resource, { reloadAtom, settleAtom, readAtom })
}

/** Reads and caches the data. If the read fails, returns data read earlier in this visit. */
async function fetchAndCache<T>(
  read: () => Promise<T>,
  memory: Memory<T>,
  cache: Cache<T> | null,
): Promise<Ready<T> | Failed> {
  const order = nextInSequence()
  try {
    const snapshot = { data: await read(), readAt: Date.now() }
    const latest = { ...snapshot, order, fromCache: false }
    memory.latest = latest
    cache?.save(snapshot)
    return ready(latest)
  } catch (cause) {
    const error = toAppError(cause)
    // Cached data is only shown offline.
    if (memory.latest?.fromCache) memory.latest = undefined
    const { latest } = memory
    return latest ? ready(latest, error) : { state: 'failed', error }
  }
}

async function loadOffline<T>(memory: Memory<T>, cache: Cache<T> | null): Promise<Ready<T> | Failed> {
  const cached = memory.latest ? undefined : await cache?.load()
  if (cached) memory.latest = { ...cached, order: 0, fromCache: true }
  const { latest } = memory
  return latest ? ready(latest) : { state: 'failed', error: new AppError('network', 'Offline') }
}

/** Returns a resource that has `data` instead of a failure, for what a screen can do without. */
export const orElse = <T>(resource: ResourceAtom<T>, data: T): ResourceAtom<T> => {
  const instead = ready({ data, readAt: 0, order: 0, fromCache: false })
  const value = atom((get) => {
    const known = get(resource)
    return known.state === 'failed' ? instead : known
  })
  const { reloadAtom, settleAtom, readAtom } = resource
  return Object.assign(value, { reloadAtom, settleAtom, readAtom })
}

function ready<T>(latest: NonNullable<Memory<T>['latest']>, failure: AppError | null = null): Ready<T> {
  return { state: 'ready', ...latest, updating: false, failure }
}
