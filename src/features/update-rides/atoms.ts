import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { toAppError } from '../../lib/errors.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readSyncs, updateRides } from './api.ts'

export const syncsAtom = resourceAtom((get, { signal }) => readSyncs(get(backendAtom).client, signal))

const updatingBase = atom(false)

/** Whether an update that was asked for here is running. */
export const updatingAtom = atom((get) => get(updatingBase))

/** Updates the rides; a second call while one runs does nothing. A failure is only logged. */
export const updateRidesAtom = atom(null, async (get, set) => {
  if (get(updatingBase)) return
  set(updatingBase, true)
  try {
    await updateRides(get(backendAtom).client)
  } catch (cause) {
    const { code, status } = toAppError(cause)
    console.error('The rides could not be updated', { code, status })
  } finally {
    // After a failure too: what came before it has been stored.
    set(ridesChangedAtom)
    await set(syncsAtom)
    set(updatingBase, false)
  }
})
