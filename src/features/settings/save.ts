import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { type Settings, storeSettingsAtom } from '../../lib/settings.ts'
import { failureMessage } from '../../lib/writes.ts'

/** Shows and saves the wanted settings. If that fails, says so and shows the previous ones again. */
export const saveSettingsAtom = atom(null, async (_get, set, wanted: Partial<Settings>) => {
  try {
    await set(storeSettingsAtom, wanted)
  } catch (cause) {
    notifyFailure(failureMessage('The setting', 'saved', cause))
  }
})
