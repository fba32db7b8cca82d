import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils'
import * as v from 'valibot'

import { browserStorage } from './browser-storage.ts'

/**
 * A preference stored in this browser and shared by its tabs. A stored value that does not match `schema` is ignored. If
 * localStorage is full or blocked, the preference lasts until the page is closed.
 */
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
