import { CodedError } from '../_shared/errors.ts'
import { describeError, type Log } from '../_shared/log.ts'
import type { UpdatedRides } from './contract.ts'
import type { Notify } from './push/notify.ts'
import type { RideStore, Trigger } from './ride-store.ts'
import type { Rwgps, Session } from './rwgps/client.ts'
import type { Result } from './rwgps/result.ts'
import { FIELDS, type Row } from './rwgps/trip-page.ts'
import { readIds, readRides, type RowSink, type Stored } from './trip-list.ts'

/** Runs a complete sync. Rejects with a CodedError if the failure has a code. */
export type UpdateRides = (triggeredBy: Trigger) => Promise<UpdatedRides>

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
      const answer = await sync(syncId, signal)
      const { id, fetched, added, changed, removed, set_aside, waiting } = answer
      const counts = { fetched, added, changed, removed, set_aside, waiting }
      log.info('rides_updated', { sync: id, triggered_by: triggeredBy, ...counts })
      await notify()
      return answer
    } catch (error) {
      throw await closeFailed(syncId, error)
    } finally {
      // The next page may still be loading.
      over.abort()
    }
  }

  async function sync(syncId: number, signal: AbortSignal): Promise<UpdatedRides> {
    const session = unwrap(await rwgps.signIn(signal))
    const stored = await claimAccount(syncId, session, signal)
    const sink: RowSink = {
      store(rows) {
        logSkipped(rows)
        return store.storeRows(syncId, rows)
      },
      async refuse(field, rows) {
        log.error('field_lost', { field, rows: rows.length })
        await store.storeRows(
          syncId,
          rows.map((row) => ({ ...row, ride: null, unreadable: field })),
        )
      },
    }
    const fetchPage = (offset: number, limit?: number) => session.tripPage(offset, signal, limit)
    const listed = unwrap(await readRides(fetchPage, stored, sink))
    return { status: 'ok', bikes: session.bikes.length, ...(await store.finish(syncId, listed)) }
  }

  // Runs before anything is written, because rides of two accounts must not mix.
  async function claimAccount(syncId: number, session: Session, signal: AbortSignal): Promise<Stored> {
    let answer = await store.claim(syncId, session)
    if (answer.claim === 'unknown') {
      const ids = unwrap(await readIds((offset) => session.tripPage(offset, signal)))
      answer = await store.claim(syncId, session, ids)
    }
    if (answer.claim !== 'accepted') throw new CodedError('rwgps_other_account')
    const { stored } = answer
    return { rides: stored.id, fields: new Set(FIELDS.filter((field) => stored[field] * 2 > stored.id)) }
  }

  function logSkipped(rows: Row[]): void {
    const skipped = rows.filter(({ ride }) => ride === null)
    if (skipped.length === 0) return
    log.error('rows_skipped', {
      rows: skipped.length,
      ids: skipped
        .flatMap(({ id }) => id ?? [])
        .slice(0, MAX_LOGGED_IDS)
        .join(),
      fields: [...new Set(skipped.map(({ unreadable }) => unreadable))].join(),
    })
  }

  // Closes the sync and returns the error for the caller. If it was already closed, another sync took over because this one
  // seemed dead, and that caused the error.
  async function closeFailed(syncId: number, error: unknown): Promise<unknown> {
    const code = error instanceof CodedError ? error.code : 'internal'
    try {
      return (await store.fail(syncId, code)) ? error : new CodedError('already_running')
    } catch (closing) {
      // The next sync will close it as interrupted. The caller gets the original error.
      log.error('sync_left_open', { sync: syncId, ...describeError(closing) })
      return error
    }
  }
}

// Enough to find the trips, even if every row of a page is skipped.
const MAX_LOGGED_IDS = 20

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new CodedError(result.code)
  return result.value
}
