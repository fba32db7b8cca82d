/** A browser store that keeps in memory what the browser refuses, because it's full or site data is blocked. */
export function browserStorage(open: () => Storage) {
  const unwritten = new Map<string, string>()

  function attempt<Answer>(use: (store: Storage) => Answer): Answer | undefined {
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
    /** Drops a value that is only in memory, for example when another tab has stored a newer one. */
    forgetUnwritten: (key: string) => void unwritten.delete(key),
  }
}
