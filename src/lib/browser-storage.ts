/** Wraps a browser store. Values that it refuses, because it is full or site data is blocked, stay in memory. */
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
    /** Drops a value that is only in memory, such as when another tab has stored a newer one. */
    forgetUnwritten: (key: string) => void unwritten.delete(key),
  }
}
