import { atom } from 'jotai'

import type { ToCheckCall } from '../../../supabase/functions/to-check/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { callFunction } from '../../lib/functions.ts'
import { PARTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { quote } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { attempt, mutate } from '../journal/mutate.ts'

/** Problems in the rides and the log that the owner hasn't dismissed. Reloads at midnight. */
export const checksAtom = resourceAtom(
  { reads: ['rides', 'bikes', 'dismissals', PARTS], cacheAs: 'checks' },
  (get, { signal }) => {
    get(todayAtom)
    return callFunction<ToCheckCall>(get(backendAtom).client, 'to-check', { body: {}, signal })
  },
)

/** Attaches a former bike's log to the bike that it is now. Rejects if that fails. */
export const attachLogAtom = atom(null, (get, set, bikes: { from: number; to: number }, key: string) => {
  const name = quote(get(bikeNameAtom)(bikes.from))
  return mutate(get, set, 'attach_log', bikes, { subject: `The log of ${name}`, done: 'attached' }, key)
})

export const dismissAtom = atom(null, (get, set, key: string, title: string) =>
  attempt(
    get,
    set,
    'dismiss_check',
    { key },
    { subject: title, done: 'dismissed', message: `Dismissed: ${title}` },
  ),
)
