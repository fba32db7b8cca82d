import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils'
import * as v from 'valibot'

/** Wraps browser storage. While it is full or blocked, new values stay in memory. */
export function browserStorage(open: () => Storage) {
  const unwritten = new Map<string, string>()

  function attempt<Result>(use: (store: Storage) => Result): Result | undefined {
    try {
      return use(open())
    } catch {
      return undefined
    }
  }

  return {
    getItem: (key: string) => unwritten.get(key) ?? attempt((store) => store.getItem(key)) ?? null,
    setItem(key: string, text: string) {
      unwritten.set(key, text)
      attempt((store) => {
        store.setItem(key, text)
        unwritten.delete(key)
      })
    },
    removeItem(key: string) {
      unwritten.delete(key)
      attempt((store) => store.removeItem(key))
    },
    keys: () => [...new Set([...(attempt((store) => Object.keys(store)) ?? []), ...unwritten.keys()])],
    /** Drops a value that is only in memory, after another tab has stored a newer value. */
    forgetUnwritten: (key: string) => void unwritten.delete(key),
  }
}

/** Creates an atom for a browser preference, shared by all tabs. Ignores stored values that `schema` rejects. */
export function preferenceAtom<T>(key: string, initial: T, schema: v.GenericSchema<unknown, T>) {
  const isValid = (stored: unknown): stored is T => v.is(schema, stored)
  const storage = withStorageValidator(isValid)(createJSONStorage<unknown>(() => preferenceStorage))
  return atomWithStorage(key, initial, storage, { getOnInit: true })
}

const local = browserStorage(() => localStorage)

const preferenceStorage = {
  ...local,
  subscribe(key: string, follow: (text: string | null) => void) {
    const onChange = (event: StorageEvent) => {
      if (event.key !== key) return
      local.forgetUnwritten(key)
      follow(event.newValue)
    }
    window.addEventListener('storage', onChange)
    return () => window.removeEventListener('storage', onChange)
  },
}
