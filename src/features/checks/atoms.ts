import { atom } from 'jotai'

import type { ToCheckCall } from '../../../supabase/functions/to-check/contract.ts'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { unwrap } from '../../lib/errors.ts'
import { quote } from '../../lib/formats.ts'
import { callFunction } from '../../lib/functions.ts'
import { PARTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { touchAtom } from '../../lib/touch.ts'
import { changeOf, failureMessage, repeatIfLost } from '../../lib/writes.ts'
import { offerUndo } from '../trash/undo.ts'

/** Problems in the rides and the log that the owner hasn't dismissed. Reloads at midnight. */
export const checksAtom = resourceAtom(
  { reads: ['rides', 'dismissals', PARTS], cacheAs: 'checks' },
  (get, { signal }) => {
    get(todayAtom)
    return callFunction<ToCheckCall>(get(backendAtom).client, 'to-check', { body: {}, signal })
  },
)

export const dismissAtom = atom(null, async (get, set, key: string, title: string) => {
  let change: string | null
  try {
    change = await repeatIfLost(get(backendAtom).client, async (writer, change) => {
      const options = { onConflict: 'key', ignoreDuplicates: true }
      const added = unwrap(await writer.from('dismissed_checks').upsert({ key }, options).select('id'))
      return changeOf(writer, change, added)
    })
  } catch (cause) {
    notifyFailure(failureMessage(title, 'dismissed', cause))
    return
  }
  const after = () => set(touchAtom, ['dismissals'])
  offerUndo(get, set, `Dismissed: ${title}`, { change, of: quote(title), after })
  after()
})
