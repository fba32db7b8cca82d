import { CodedError, codeOf } from '../_shared/http/errors.ts'
import { describeError, type Log } from '../_shared/http/log.ts'
import type { UpdatedRides } from '../_shared/contracts/update-rides.ts'
import type { Notify } from '../_shared/channels/notify.ts'
import { type FetchPage, readPages } from './list-pages.ts'
import type { RideStore, Trigger } from './ride-store.ts'
import type { Rwgps, Session } from './rwgps/client.ts'
import { digestOf } from './rwgps/digest.ts'
import { type Failure, ok, type Result } from './rwgps/result.ts'
import { FIELDS, type Row } from './rwgps/trip-page.ts'
import { readRides, type RowSink, type Stored } from './trip-list.ts'

/** Runs a full sync; with `check`, only if needed. Rejects with a CodedError if the failure has a code. */
export type UpdateRides = (triggeredBy: Trigger, check?: boolean) => Promise<UpdatedRides>

interface Dependencies {
  store: RideStore
  rwgps: Rwgps
  /** The time limit of a call, in milliseconds. */
  syncTimeout: number
  /** Called after a sync succeeds or its sign-in is refused, and after the first successful check of the owner's day. */
  notify: Notify
  log: Log
}

export function createUpdateRides({ store, rwgps, syncTimeout, notify, log }: Dependencies): UpdateRides {
  return async (triggeredBy, check = false) => {
    const over = new AbortController()
    const hadToken = rwgps.resume() !== null
    try {
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(syncTimeout)])
      const checked = check ? await quickCheck(signal) : ok<CheckResult>('due')
      if (!checked.ok) throw await closeFailed(await start(triggeredBy), new RwgpsError(checked))
      if (checked.value === 'unchanged') return UNCHANGED
      const syncId = await start(triggeredBy, checked.value === 'changed')
      return await runSync(syncId, triggeredBy, signal)
    } catch (error) {
      // Don't notify if a token was refused and forgotten: the next sync gets a new token.
      if (codeOf(error) === 'rwgps_unauthorized' && hadToken === (rwgps.resume() !== null)) await notify()
      throw error
    } finally {
      // Abort the next page, which may still be loading.
      over.abort()
    }
  }

  /** Compares the newest rows with those of the last sync. */
  async function quickCheck(signal: AbortSignal): Promise<Result<CheckResult>> {
    const session = rwgps.resume()
    const next = await store.beginQuickCheck(session?.userId ?? null)
    if (next === 'running') throw new CodedError('already_running')
    if (next !== 'check' || session === null) return ok(next === 'sync' ? 'due' : 'unchanged')
    const page = await session.newestTrips(signal)
    if (!page.ok) return page
    const outcome = await store.finishQuickCheck(await digestOf(page.value))
    // On a new day, more tasks may be due. A failed notification is sent again.
    if (outcome === 'notify') await notify()
    return ok(outcome === 'sync' ? 'changed' : 'unchanged')
  }

  async function start(triggeredBy: Trigger, followsCheck = false): Promise<number> {
    const syncId = await store.start(triggeredBy, followsCheck)
    if (syncId === null) throw new CodedError('already_running')
    return syncId
  }

  /** Runs a sync that was started, and closes it. */
  async function runSync(syncId: number, triggeredBy: Trigger, signal: AbortSignal): Promise<UpdatedRides> {
    try {
      const answer = await sync(syncId, signal)
      const { id, fetched, added, changed, removed, skipped, pending_removals } = answer
      const counts = { fetched, added, changed, removed, skipped, pending_removals }
      log.info('rides_updated', { sync: id, triggered_by: triggeredBy, ...counts })
      await notify()
      return answer
    } catch (error) {
      throw await closeFailed(syncId, error)
    }
  }

  async function sync(syncId: number, signal: AbortSignal) {
    const session = unwrap(await rwgps.signIn(signal))
    const stored = await claimAccount(syncId, session, signal)
    let digest: Promise<string> | undefined
    const fetchPage: FetchPage = async (offset, limit) => {
      const page = await session.tripPage(offset, signal, limit)
      // A second pass only stores rides that the first pass missed, so keep the first digest.
      if (page.ok) digest ??= digestOf(page.value)
      return page
    }
    const sink: RowSink = {
      store(rows, total) {
        logSkipped(rows)
        for (const { ride } of rows) if (ride) ride.time_zone ??= session.homeZone
        return store.storeRows(syncId, rows, total)
      },
      async refuse(field, rows) {
        log.error('field_lost', { field, rows: rows.length })
        const refused = rows.map((row) => ({ ...row, ride: null, unreadable: field }))
        await store.storeRows(syncId, refused, null)
      },
    }
    const listed = unwrap(await readRides(fetchPage, stored, sink))
    const finished = await store.finish(syncId, listed, (await digest) ?? '')
    return { status: 'ok' as const, bikes: session.bikes.length, ...finished }
  }

  // Runs before anything is written, because rides of two accounts must not mix.
  async function claimAccount(syncId: number, session: Session, signal: AbortSignal): Promise<Stored> {
    let answer = await store.claim(syncId, session)
    if (answer.claim === 'unknown') {
      const fetchPage: FetchPage = (offset, limit) => session.tripPage(offset, signal, limit)
      const { ids } = unwrap(await readPages(fetchPage, () => Promise.resolve()))
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
  // seemed to have crashed.
  async function closeFailed(syncId: number, error: unknown): Promise<unknown> {
    const retryAfter = error instanceof RwgpsError ? error.retryAfter : undefined
    try {
      return (await store.fail(syncId, codeOf(error), retryAfter)) ? error : new CodedError('already_running')
    } catch (closing) {
      // The next sync closes this one as interrupted. Return the original error.
      log.error('sync_left_open', { sync: syncId, ...describeError(closing) })
      return error
    }
  }
}

// Enough to find the trips, even if every row of a page is skipped.
const MAX_LOGGED_IDS = 20

class RwgpsError extends CodedError {
  readonly retryAfter: number | undefined

  constructor({ code, retryAfter }: Failure) {
    super(code)
    this.retryAfter = retryAfter
  }
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new RwgpsError(result)
  return result.value
}

/** Whether a full sync has to run because it is due or the newest rows have changed. */
type CheckResult = 'due' | 'changed' | 'unchanged'

const UNCHANGED: UpdatedRides = {
  status: 'unchanged',
  bikes: 0,
  fetched: 0,
  added: 0,
  changed: 0,
  removed: 0,
  skipped: 0,
}
