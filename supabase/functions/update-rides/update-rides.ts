import { CodedError } from '../_shared/errors.ts'
import { describeError, type Log } from '../_shared/log.ts'
import { readIds, readRides } from './read-rides.ts'
import type { RideStore, Trigger } from './ride-store.ts'
import type { Rwgps, Session } from './rwgps/client.ts'
import type { Result } from './rwgps/result.ts'

export interface Summary {
  status: 'ok'
  bikes: number
  fetched: number
  added: number
  changed: number
  removed: number
  set_aside: number
}

/** A whole refresh. Rejects with a CodedError for every failure that has a code. */
export type UpdateRides = (triggeredBy: Trigger) => Promise<Summary>

interface Dependencies {
  store: RideStore
  rwgps: Rwgps
  /** Milliseconds that a run may take. */
  runTimeout: number
  log: Log
}

export function createUpdateRides({ store, rwgps, runTimeout, log }: Dependencies): UpdateRides {
  return async (triggeredBy) => {
    const run = await store.start(triggeredBy)
    if (run === null) throw new CodedError('already_running')
    const over = new AbortController()
    try {
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(runTimeout)])
      const summary = await refresh(run, store, rwgps, signal)
      if (!(await store.finish(run, 'ok'))) throw new CodedError('already_running')
      log.info('rides_updated', { run, triggered_by: triggeredBy, ...summary })
      return summary
    } catch (error) {
      throw await closeFailed(run, error, store, log)
    } finally {
      // A page may still be on its way.
      over.abort()
    }
  }
}

async function refresh(run: number, store: RideStore, rwgps: Rwgps, signal: AbortSignal): Promise<Summary> {
  const session = unwrap(await rwgps.signIn(signal))
  await claimAccount(run, store, session, signal)
  await store.storeBikes(run, session.bikes)

  const summary = { bikes: session.bikes.length, fetched: 0, added: 0, changed: 0, removed: 0, set_aside: 0 }
  const reading = await readRides((offset) => session.tripPage(offset, signal), {
    async store(rides, skipped) {
      const { added, changed } = await store.storeRides(run, rides, skipped)
      summary.fetched += rides.length + skipped.length
      summary.added += added
      summary.changed += changed
      summary.set_aside += skipped.length
    },
    holdsOthers: async (stored) => (await store.countRides()) > stored,
  })
  const listed = unwrap(reading)
  if (listed !== null) summary.removed = await store.removeRidesExcept(run, listed)
  return { status: 'ok', ...summary }
}

// Before anything is written: rides of two accounts must not mix.
async function claimAccount(run: number, store: RideStore, session: Session, signal: AbortSignal) {
  let claim = await store.claimAccount(run, session.userId)
  if (claim === 'unknown') {
    const ids = unwrap(await readIds((offset) => session.tripPage(offset, signal)))
    claim = await store.claimAccount(run, session.userId, ids)
  }
  if (claim !== 'accepted') throw new CodedError('rwgps_other_account')
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new CodedError(result.code)
  return result.value
}

// What to tell the caller once the run is closed. If it was closed before, another one took over after this one seemed
// dead, and whatever failed here failed for that.
async function closeFailed(run: number, error: unknown, store: RideStore, log: Log): Promise<unknown> {
  const code = error instanceof CodedError ? error.code : 'internal'
  try {
    const wasOpen = await store.finish(run, 'failed', code)
    return wasOpen ? error : new CodedError('already_running')
  } catch (closing) {
    // The next run closes it as interrupted; what is worth telling is why this one failed.
    log.error('run_left_open', { run, ...describeError(closing) })
    return error
  }
}
