import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { type AppError, messageFor, toAppError } from '../../lib/errors.ts'
import { resourceAtom, resourceGenerationAtom, touchHereAtom } from '../../lib/resource.ts'
import {
  newestId,
  readAccount,
  readSyncs,
  removeMissingRides,
  type SyncResult,
  syncRides,
  withResult,
} from './api.ts'

const CHECK_MS = 60_000
const CHECK_RUNNING_MS = 1000

const resource = resourceAtom({ reads: ['syncs'] }, (get, { signal }) =>
  readSyncs(get(backendAtom).client, signal),
)

export const accountAtom = resourceAtom({ reads: ['syncs'], cacheAs: 'account' }, (get, { signal }) =>
  readAccount(get(backendAtom).client, signal),
)

/** The result of this tab's last sync, shown without reading the sync history again. */
const resultBase = atom<{ result: SyncResult; generation: number } | null>(null)

/** The latest syncs. Writing to this atom reads the sync history. */
export const syncsAtom = Object.assign(
  atom(
    (get) => {
      const syncs = get(resource)
      const own = get(resultBase)
      if (syncs.state !== 'ready' || own?.generation !== get(resourceGenerationAtom)) return syncs
      return { ...syncs, data: withResult(syncs.data, own.result) }
    },
    (_get, set) => set(resource.reloadAtom),
  ),
  { readAtom: resource.readAtom },
)

/** The id of the newest recorded sync when a sync from this tab failed without being recorded. */
const unrecordedBase = atom<number | null>(null)

/** Whether this tab's last sync didn't start, because a hosted function is missing or lacks a secret. */
export const didNotStartAtom = atom((get) => {
  const syncs = get(syncsAtom)
  return syncs.state === 'ready' && newestId(syncs.data) === get(unrecordedBase)
})

const syncingBase = atom(false)

/** Whether a sync started by this tab is running. */
export const isSyncingAtom = atom((get) => get(syncingBase))

/** The running sync's progress so far, or null if no sync is running. */
export const runningSyncAtom = atom((get) => {
  const syncs = get(syncsAtom)
  const running = syncs.state === 'ready' ? syncs.data.running : null
  return running ?? (get(syncingBase) ? NOT_RECORDED : null)
})

const NOT_RECORDED = { fetched: 0, list_count: null }

/** Identifies the last known change to rides. Includes `removed`, because the owner may remove rides after a sync. */
const lastChangeAtom = atom((get) => {
  const syncs = get(syncsAtom)
  if (syncs.state !== 'ready') return undefined
  const { lastChange } = syncs.data
  return lastChange && `${lastChange.id} ${lastChange.removed}`
})

/**
 * Reads the sync status. If a scheduled sync or another tab's sync changed rides, even if it failed later, marks all
 * data derived from rides as stale, so the screen never mixes old and new numbers.
 */
export const checkSyncsAtom = atom(null, async (get, set) => {
  const [shown, result] = [get(lastChangeAtom), get(resultBase)]
  await set(syncsAtom)
  const isElsewhere = !get(syncingBase) && result === get(resultBase)
  if (shown !== undefined && shown !== get(lastChangeAtom) && isElsewhere) set(touchHereAtom, ['rides'])
})

/** Checks for syncs every minute, every second during a sync, and when the tab becomes visible. Returns a stop function. */
export const watchSyncsAtom = atom(null, (get, set) => {
  const check = () => {
    if (document.visibilityState === 'visible') void set(checkSyncsAtom)
  }
  const timer = setInterval(check, CHECK_MS)
  const progressTimer = setInterval(() => {
    if (get(runningSyncAtom) !== null) check()
  }, CHECK_RUNNING_MS)
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    clearInterval(progressTimer)
    document.removeEventListener('visibilitychange', check)
  }
})

/** Syncs the rides. Does nothing while a sync from this tab is running. Logs failures without throwing. */
export const syncRidesAtom = atom(null, async (get, set) => {
  if (get(syncingBase)) return
  set(syncingBase, true)
  const known = get(syncsAtom)
  try {
    const result = await syncRides(get(backendAtom).client)
    set(resultBase, { result, generation: get(resourceGenerationAtom) })
    set(touchHereAtom, ['rides'])
    if (get(resource).state === 'failed') await set(syncsAtom)
  } catch (cause) {
    const failure = toAppError(cause)
    // The sync may have stored some rides before it failed.
    set(touchHereAtom, ['rides'])
    await set(syncsAtom)
    const read = get(syncsAtom)
    const isRead = read.state === 'ready' && !read.failure && !read.fromCache
    const before = known.state === 'ready' ? newestId(known.data) : 0
    // If a gateway replaced the function's answer, the recorded code is the right one.
    const recorded = isRead && read.data.lastEnded !== null && read.data.lastEnded.id > before
    const code = (recorded && read.data.lastEnded?.code) || failure.code
    console.error('The sync failed', { code, status: failure.status })
    if (isRead && newestId(read.data) <= before && !isRefusal(failure)) set(unrecordedBase, before)
  } finally {
    set(syncingBase, false)
  }
})

/** Returns whether the function or its gateway refused the caller. A 404 means that the function doesn't exist. */
function isRefusal({ status }: AppError): boolean {
  return status >= 400 && status < 500 && status !== 404
}

export const removeMissingRidesAtom = atom(null, async (get, set, shownBy: number) => {
  try {
    await removeMissingRides(get(backendAtom).client, shownBy)
    set(touchHereAtom, ['rides'])
  } catch (cause) {
    notifyFailure(`The rides could not be removed. ${messageFor(toAppError(cause))}`)
  }
  await set(syncsAtom)
})
