import { atom, type WritableAtom } from 'jotai'

import { bikesAtom } from '../features/bikes/atoms.ts'
import { allItemsAtom, logAtom } from '../features/entries/log.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { storedPartsAtom } from '../features/log/actions/atoms.ts'
import { isOfflineAtom } from '../lib/connection.ts'

/** Reads and caches what any bike and its parts need offline, one after the other. */
export const loadLogsAtom = atom(null, async (get, set) => {
  const bikes = get(bikesAtom)
  const ids = bikes.state === 'ready' ? bikes.data.map(({ gear_id }) => gear_id) : []
  const reads: WritableAtom<null, [], Promise<unknown>>[] = [
    ...ids.flatMap((id) => [logAtom(id).readAtom, usageAtom(id).readAtom]),
    allItemsAtom.readAtom,
    storedPartsAtom.readAtom,
  ]
  for (const read of reads) {
    if (get(isOfflineAtom)) return
    // oxlint-disable-next-line no-await-in-loop -- the rider's own requests come first
    await set(read)
  }
})
