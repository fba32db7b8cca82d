import { atom, type Atom, type Getter } from 'jotai'
import { atomFamily } from 'jotai-family'
import { unwrap } from 'jotai/utils'

import { backendAtom } from './backend.ts'
import { type Cache, cacheFor, type Snapshot } from './cache.ts'
import { isOfflineAtom, tryAgain } from './connection.ts'
import { AppError, toAppError } from './errors.ts'
import type { ResourceKey } from './resource-keys.ts'

export type Ready<T> = {
  state: 'ready'
  data: T
  updating: boolean
  failure: AppError | null
  /** The time of the read, in milliseconds since 1970. */
  readAt: number
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

type Options = {
  isCached?: boolean
  refetchOnMount?: boolean
}

type Latest<T> = Snapshot<T> & { fromCache: boolean }

/** Holds the latest data while the page is open. */
type Memory<T> = { get: () => Latest<T> | undefined; set: (latest: Latest<T> | undefined) => void }

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

const staleCountAtom = atomFamily((_key: string) => atom(0))

/** Repeats a read when its key becomes stale or all resources are cleared. Resources do this automatically. */
export function repeatWhenStale(get: Getter, key: ResourceKey): void {
  get(generation)
  for (const index of key.keys()) get(staleCountAtom(key.slice(0, index + 1).join('/')))
}

/** Marks resources as stale. Mounted resources are read again now, other resources when they are next mounted. */
export const markStaleAtom = atom(null, (_get, set, keys: readonly ResourceKey[]) => {
  for (const key of keys) set(staleCountAtom(key.join('/')), (n) => n + 1)
})

/**
 * Creates a Resource atom from an async read. Writing to the atom repeats the read and resolves when the newest read
 * has settled. Writing `'settle'` only waits for that, and only if the resource is mounted. The read may `get` other
 * atoms before its first await and is repeated when they change. A resource that is mounted again shows its data
 * immediately and, with `refetchOnMount`, updates it in the background.
 */
export function resourceAtom<T>(
  key: ResourceKey,
  read: Read<T>,
  { isCached = true, refetchOnMount = true }: Options = {},
) {
  const version = atom(0)
  const latest = atom(() => new Map<number, Latest<T>>())

  const settled = atom(async (get, options) => {
    get(version)
    repeatWhenStale(get, key)
    const current = get(generation)
    const memory = memoryOf(get(latest), current)
    const cache = isCached ? cacheFor<T>(get(backendAtom).config, key.join('/')) : null
    const value = get(isOfflineAtom)
      ? loadOffline(memory, cache)
      : fetchAndCache(() => read(get, options), memory, cache)
    return { generation: current, value: await value }
  })
  const shown = unwrap(settled, (previous) =>
    previous?.value.state === 'ready'
      ? { ...previous, value: { ...previous.value, updating: true } }
      : { generation: -1, value: LOADING },
  )
  const value = atom((get): Resource<T> => {
    const { generation: current, value } = get(shown)
    return current === get(generation) ? value : LOADING
  })

  const settle = atom(null, async (get) => {
    let newest
    do {
      newest = get(settled)
      await newest
    } while (newest !== get(settled))
  })
  const reload = atom(null, (_get, set) => {
    tryAgain()
    set(version, (n) => n + 1)
    return set(settle)
  })
  const setMounted = atom(null, async (get, set, isMounted: boolean) => {
    set(mountedBase, (all) => new Set([...all].filter((one) => one !== value).concat(isMounted ? value : [])))
    if (isMounted || !refetchOnMount) return
    // Not stale if another component mounts the resource right away, or while its first read is in progress.
    await Promise.resolve()
    const isStale = !get(mountedBase).has(value) && get(shown).value.state !== 'loading'
    if (isStale) set(version, (n) => n + 1)
  })
  const resource = atom(
    (get) => get(value),
    async (get, set, wish: 'reload' | 'settle' | 'mount' | 'unmount' = 'reload') => {
      if (wish === 'reload') await set(reload)
      else if (wish !== 'settle') await set(setMounted, wish === 'mount')
      else if (get(mountedBase).has(value)) await set(settle)
    },
  )
  resource.onMount = (write) => {
    void write('mount')
    return () => void write('unmount')
  }
  return resource
}

function memoryOf<T>(latest: Map<number, Latest<T>>, current: number): Memory<T> {
  return {
    get: () => latest.get(current),
    set(next) {
      latest.clear()
      if (next) latest.set(current, next)
    },
  }
}

/** Reads and caches the data. If the read fails, returns data read earlier in this visit. */
async function fetchAndCache<T>(
  read: () => Promise<T>,
  memory: Memory<T>,
  cache: Cache<T> | null,
): Promise<Ready<T> | Failed> {
  try {
    const snapshot = { data: await read(), readAt: Date.now() }
    const latest = { ...snapshot, fromCache: false }
    memory.set(latest)
    cache?.save(snapshot)
    return ready(latest)
  } catch (cause) {
    const error = toAppError(cause)
    // Cached data is only shown offline.
    if (memory.get()?.fromCache) memory.set(undefined)
    const latest = memory.get()
    return latest ? ready(latest, error) : { state: 'failed', error }
  }
}

async function loadOffline<T>(memory: Memory<T>, cache: Cache<T> | null): Promise<Ready<T> | Failed> {
  const cached = memory.get() ? undefined : await cache?.load()
  if (cached) memory.set({ ...cached, fromCache: true })
  const latest = memory.get()
  return latest ? ready(latest) : { state: 'failed', error: new AppError('network', 'Offline') }
}

function ready<T>(latest: Latest<T>, failure: AppError | null = null): Ready<T> {
  return { state: 'ready', ...latest, updating: false, failure }
}
