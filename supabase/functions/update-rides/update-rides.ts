import { CodedError } from '../_shared/errors.ts'
import { describeError, type Log } from '../_shared/log.ts'
import type { Notify } from './push/notify.ts'
import type { RideStore, Trigger } from './ride-store.ts'
import type { Rwgps, Session } from './rwgps/client.ts'
import type { Result } from './rwgps/result.ts'
import { readIds, readRides } from './trip-list.ts'

export interface Summary {
  status: 'ok'
  bikes: number
  fetched: number
  added: number
  changed: number
  removed: number
  set_aside: number
}

/** Runs a complete sync. Rejects with a CodedError if the failure has a code. */
export type UpdateRides = (triggeredBy: Trigger) => Promise<Summary>

interface Dependencies {
  store: RideStore
  rwgps: Rwgps
  /** Time limit of a sync in milliseconds. */
  syncTimeout: number
  /** Runs after a successful sync has been closed. */
  notify: Notify
  log: Log
}

export function createUpdateRides({ store, rwgps, syncTimeout, notify, log }: Dependencies): UpdateRides {
  return async (triggeredBy) => {
    const syncId = await store.start(triggeredBy)
    if (syncId === null) throw new CodedError('already_running')
    const over = new AbortController()
    try {
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(syncTimeout)])
      const summary = await sync(syncId, store, rwgps, signal)
      if (!(await store.finish(syncId, 'ok'))) throw new CodedError('already_running')
      log.info('rides_updated', { sync: syncId, triggered_by: triggeredBy, ...summary })
      await notify()
      return summary
    } catch (error) {
      throw await closeFailed(syncId, error, store, log)
    } finally {
      // The next page may still be loading.
      over.abort()
    }
  }
}

async function sync(syncId: number, store: RideStore, rwgps: Rwgps, signal: AbortSignal): Promise<Summary> {
  const session = unwrap(await rwgps.signIn(signal))
  await claimAccount(syncId, store, session, signal)
  await store.storeBikes(syncId, session.bikes)

  const summary = { bikes: session.bikes.length, fetched: 0, added: 0, changed: 0, removed: 0, set_aside: 0 }
  const result = await readRides((offset) => session.tripPage(offset, signal), {
    async store(rides, skipped) {
      const { added, changed } = await store.storeRides(syncId, rides, skipped)
      summary.fetched += rides.length + skipped.length
      summary.added += added
      summary.changed += changed
      summary.set_aside += skipped.length
    },
    hasOtherRides: async (stored) => (await store.countRides()) > stored,
  })
  const listed = unwrap(result)
  if (listed !== null) summary.removed = await store.removeRidesExcept(syncId, listed)
  return { status: 'ok', ...summary }
}

// Runs before anything is written, because rides of two accounts must not mix.
async function claimAccount(syncId: number, store: RideStore, session: Session, signal: AbortSignal) {
  let claim = await store.claimAccount(syncId, session.userId)
  if (claim === 'unknown') {
    const ids = unwrap(await readIds((offset) => session.tripPage(offset, signal)))
    claim = await store.claimAccount(syncId, session.userId, ids)
  }
  if (claim !== 'accepted') throw new CodedError('rwgps_other_account')
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new CodedError(result.code)
  return result.value
}

// Closes the sync and returns the error for the caller. If it was already closed, another sync took over because this one
// seemed dead, and that caused the error.
async function closeFailed(syncId: number, error: unknown, store: RideStore, log: Log): Promise<unknown> {
  const code = error instanceof CodedError ? error.code : 'internal'
  try {
    const wasOpen = await store.finish(syncId, 'failed', code)
    return wasOpen ? error : new CodedError('already_running')
  } catch (closing) {
    // The next sync will close it as interrupted. The caller gets the original error.
    log.error('sync_left_open', { sync: syncId, ...describeError(closing) })
    return error
  }
}
