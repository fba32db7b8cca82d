import { atom } from 'jotai'

import { bikesAtom } from '../features/bikes/atoms.ts'
import { logAtom } from '../features/entries/log.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { isOfflineAtom } from '../lib/connection.ts'

/** Reads and caches each bike's log and usage, one after the other, so that any bike opens offline. */
export const loadLogsAtom = atom(null, async (get, set) => {
  const bikes = get(bikesAtom)
  for (const { gear_id } of bikes.state === 'ready' ? bikes.data : []) {
    for (const read of [() => set(logAtom(gear_id).readAtom), () => set(usageAtom(gear_id).readAtom)]) {
      if (get(isOfflineAtom)) return
      // oxlint-disable-next-line no-await-in-loop -- the rider's own requests come first
      await read()
    }
  }
})
