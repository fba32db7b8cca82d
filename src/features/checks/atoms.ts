import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote } from '../../lib/formats.ts'
import { PARTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { touchAtom } from '../../lib/touch.ts'
import { failureMessage } from '../../lib/writes.ts'
import { offerUndo } from '../trash/undo.ts'
import { dismiss, readChecks } from './api.ts'

/** Reloads at midnight. */
export const checksAtom = resourceAtom(
  { reads: ['rides', 'dismissals', PARTS], cacheAs: 'checks' },
  (get, { signal }) => {
    get(todayAtom)
    return readChecks(get(backendAtom).client, signal)
  },
)

export const dismissAtom = atom(null, async (get, set, key: string, title: string) => {
  let change: string | null
  try {
    change = await dismiss(get(backendAtom).client, key)
  } catch (cause) {
    notifyFailure(failureMessage(title, 'dismissed', cause))
    return
  }
  const after = () => set(touchAtom, ['dismissals'])
  offerUndo(get, set, `Dismissed: ${title}`, { change, of: quote(title), after })
  after()
})
