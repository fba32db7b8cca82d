import { clear, createStore, get, set } from 'idb-keyval'

import { storedUser } from './stored-session.ts'
import type { Config } from './config.ts'
import { whenIdle } from './idle.ts'

export type Snapshot<T> = { data: T; readAt: number }

export type Cache<T> = { load: () => Promise<Snapshot<T> | undefined>; save: (snapshot: Snapshot<T>) => void }

/** Increase this when the shape of cached data changes. Entries from older versions are ignored. */
const VERSION = 9

const store = createStore('cache', 'snapshots')

/**
 * Caches a read's latest result in IndexedDB for offline use. Entries belong to the signed-in owner and are only
 * written while the owner's session is stored. If IndexedDB is unavailable, nothing is cached.
 */
export function cacheFor<T>(config: Config, name: string): Cache<T> {
  const owner = storedUser(config)?.id
  const key = `${VERSION}/${owner}/${name}`
  return {
    load: async () => (owner ? attempt(() => get<Snapshot<T>>(key, store)) : undefined),
    save(snapshot) {
      whenIdle(() => {
        // If the session ended during the read, the cache has been cleared and must stay empty.
        if (owner && storedUser(config)?.id === owner) void save(key, snapshot)
      })
    },
  }
}

let isSaving = true

async function save(key: string, snapshot: Snapshot<unknown>): Promise<void> {
  isSaving = await succeeds(() => set(key, snapshot, store))
}

/** Returns whether data can be cached: false if IndexedDB is missing or blocked, or was full at the last read. */
export async function canCache(): Promise<boolean> {
  return isSaving && succeeds(() => get('', store))
}

const succeeds = async (access: () => Promise<unknown>): Promise<boolean> =>
  (await attempt(async () => {
    await access()
    return true
  })) === true

export async function clearCache(): Promise<void> {
  await attempt(() => clear(store))
}

/** Ignores errors, because IndexedDB may be missing, blocked or full. */
async function attempt<T>(access: () => Promise<T>): Promise<T | undefined> {
  try {
    return await access()
  } catch {
    return undefined
  }
}
