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

/** The last update that succeeded, as far as is known here; undefined before the first look. */
const lastOkAtom = atom((get) => {
  const syncs = get(syncsAtom)
  return syncs.state === 'ready' ? (syncs.data.lastOk?.id ?? null) : undefined
})

/**
 * Looks up how updates stand. Where one succeeded that was not asked for here (the schedule's, another tab's), whatever
 * is derived from the rides is read again, so that nothing on the screen is older than its neighbour.
 */
export const lookForUpdatesAtom = atom(null, async (get, set) => {
  const shown = get(lastOkAtom)
  await set(syncsAtom)
  if (shown !== undefined && shown !== get(lastOkAtom) && !get(updatingBase)) set(ridesChangedAtom)
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
