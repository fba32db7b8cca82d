import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { toAppError } from '../../lib/errors.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readSyncs, updateRides } from './api.ts'

const LOOK_MS = 60_000

export const syncsAtom = resourceAtom((get, { signal }) => readSyncs(get(backendAtom).client, signal))

const updatingBase = atom(false)

/** Whether an update that was asked for here is running. */
export const updatingAtom = atom((get) => get(updatingBase))

/** The last update that succeeded, as far as what is shown beside it goes; undefined before the first look. */
const shownSyncAtom = atom<number | null | undefined>(undefined)

/**
 * Looks up how updates stand. Where one succeeded that was not asked for here (the schedule's, another tab's), whatever
 * is derived from the rides is read again, so that nothing on the screen is older than its neighbour.
 */
export const lookForUpdatesAtom = atom(null, async (get, set) => {
  await set(syncsAtom)
  const syncs = get(syncsAtom)
  if (syncs.state !== 'ready' || get(updatingBase)) return
  const newest = syncs.data.lastOk?.id ?? null
  const shown = get(shownSyncAtom)
  set(shownSyncAtom, newest)
  if (shown !== undefined && shown !== newest) set(ridesChangedAtom)
})

/** Looks for updates once a minute and when the owner comes back to this tab; returns how to stop. */
export const followUpdatesAtom = atom(null, (_get, set) => {
  const look = () => {
    if (document.visibilityState === 'visible') void set(lookForUpdatesAtom)
  }
  look()
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
    const syncs = get(syncsAtom)
    if (syncs.state === 'ready') set(shownSyncAtom, syncs.data.lastOk?.id ?? null)
  }
})
