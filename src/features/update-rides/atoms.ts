import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readSyncs, removeMissingRides, updateRides } from './api.ts'

const LOOK_MS = 60_000

export const syncsAtom = resourceAtom((get, { signal }) => readSyncs(get(backendAtom).client, signal))

const updatingBase = atom(false)

/** Whether an update that was asked for here is running. */
export const updatingAtom = atom((get) => get(updatingBase))

/**
 * The last change of the rides, as far as is known here; undefined before the first look. The owner may remove rides
 * after a sync, so its id alone does not identify a change.
 */
const lastChangeAtom = atom((get) => {
  const syncs = get(syncsAtom)
  if (syncs.state !== 'ready') return undefined
  const { lastChange } = syncs.data
  return lastChange && `${lastChange.id} ${lastChange.removed}`
})

/**
 * Reads the sync status. If rides were changed by a sync that did not start here (scheduled, or in another tab), and even
 * if that sync failed later, everything derived from rides is read again, so the screen never mixes old and new numbers.
 */
export const lookForUpdatesAtom = atom(null, async (get, set) => {
  const shown = get(lastChangeAtom)
  await set(syncsAtom)
  if (shown !== undefined && shown !== get(lastChangeAtom) && !get(updatingBase)) set(ridesChangedAtom)
})

/** Looks for updates once a minute and when the owner comes back to this tab; returns how to stop. */
export const followUpdatesAtom = atom(null, (_get, set) => {
  const look = () => {
    if (document.visibilityState === 'visible') void set(lookForUpdatesAtom)
  }
  const timer = setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
})

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

/** Removes the missing rides that the status of this sync reports. */
export const removeMissingRidesAtom = atom(null, async (get, set, shownBy: number) => {
  try {
    await removeMissingRides(get(backendAtom).client, shownBy)
    set(ridesChangedAtom)
  } catch (cause) {
    notifyFailure(`The rides were not removed. ${messageFor(toAppError(cause))}`)
  }
  await set(syncsAtom)
})
