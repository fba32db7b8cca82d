import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils'
import * as v from 'valibot'

import { browserStorage } from './browser-storage.ts'

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
  const storage = withStorageValidator(isKnown)(createJSONStorage<unknown>(() => preferenceStorage))
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
