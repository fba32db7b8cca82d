import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils'
import * as v from 'valibot'

/**
 * A choice that this browser remembers, in all its tabs. What it remembers and `schema` does not know is as if nothing
 * had been chosen; where it has no room or gives no leave, the choice lives as long as the page.
 */
export function preferenceAtom<Choice>(
  key: string,
  initial: Choice,
  schema: v.GenericSchema<unknown, Choice>,
) {
  const isKnown = (stored: unknown): stored is Choice => v.is(schema, stored)
  const storage = withStorageValidator(isKnown)(createJSONStorage<unknown>(() => willingStorage))
  return atomWithStorage(key, initial, storage, { getOnInit: true })
}

// What the browser's own store, full or forbidden, did not take.
const unwritten = new Map<string, string>()

const willingStorage = {
  getItem: (key: string) => unwritten.get(key) ?? attempt((store) => store.getItem(key)) ?? null,
  setItem: (key: string, text: string) => {
    unwritten.set(key, text)
    attempt((store) => {
      store.setItem(key, text)
      unwritten.delete(key)
    })
  },
  removeItem: (key: string) => {
    unwritten.delete(key)
    attempt((store) => store.removeItem(key))
  },
  subscribe: (key: string, follow: (text: string | null) => void) => {
    const onChange = (event: StorageEvent) => {
      if (event.key !== key) return
      unwritten.delete(key)
      follow(event.newValue)
    }
    window.addEventListener('storage', onChange)
    return () => window.removeEventListener('storage', onChange)
  },
}

function attempt<Answer>(use: (store: Storage) => Answer): Answer | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}
