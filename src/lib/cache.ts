import { clear, createStore, get, set } from 'idb-keyval'

import { storedUser } from './backend.ts'
import type { Config } from './config.ts'
import { whenIdle } from './idle.ts'

/** An answer of the backend, and when it was read. */
export type Answer<T> = { data: T; readAt: number }

export type Keeper<T> = { recall: () => Promise<Answer<T> | undefined>; keep: (answer: Answer<T>) => void }

/** Another number when what is kept changes its shape: what was kept in the old one is not read any more. */
const SHAPE = 1

const store = createStore('kept', 'answers')

/**
 * Keeps the last answer of a read in this browser, for when the backend cannot be reached: under the id of the owner
 * whose session the browser keeps, and only for as long as it keeps it. Where nothing can be kept, nothing is.
 */
export function cacheFor<T>(config: Config, name: string): Keeper<T> {
  const owner = storedUser(config)?.id
  const key = `${SHAPE}/${owner}/${name}`
  return {
    recall: async () => (owner ? attempt(() => get<Answer<T>>(key, store)) : undefined),
    keep(answer: Answer<T>) {
      whenIdle(() => {
        // The session may have ended since the answer was asked for: then what was kept is deleted, and stays so.
        if (owner && storedUser(config)?.id === owner) void attempt(() => set(key, answer, store))
      })
    },
  }
}

/** Deletes all that is kept, whose ever it is. */
export async function clearCache(): Promise<void> {
  await attempt(() => clear(store))
}

/** A browser may have no storage, refuse it, or have none left. */
async function attempt<T>(access: () => Promise<T>): Promise<T | undefined> {
  try {
    return await access()
  } catch {
    return undefined
  }
}
