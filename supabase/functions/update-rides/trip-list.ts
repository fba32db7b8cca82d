import { type FetchPage, type ListPass, type OnPage, readPages } from './list-pages.ts'
import { createLostFields } from './lost-fields.ts'
import { failed, ok, type Result } from './rwgps/result.ts'
import type { Field, Row, TripPage } from './rwgps/trip-page.ts'

/** The stored rides before the sync. */
export interface Stored {
  rides: number
  /** The fields that most rides have. */
  fields: ReadonlySet<Field>
}

/** Receives each row of a list once per sync, with the server's count of all trips. */
export interface RowSink {
  /** Stores rides, records skipped rows, and returns the number of new rides. */
  store(rows: Row[], total: TripPage['total']): Promise<number>
  /** Records rows that lack the field that the list lost. */
  refuse(field: Field, rows: Row[]): Promise<void>
}

// Store held rows in batches, because half of a long list may be too much for one request.
const BATCH_SIZE = 1000

/**
 * Reads all rides into the sink. Returns the last pass with the ids of all passes if stored rides may have to be removed or
 * the pass found a mismatch, else null. SQL decides what a mismatch means for missing rides. Fails if the list lost a field.
 *
 * If the first pass is incomplete or would remove rides, a second pass reads the list to its end, and only rides missing
 * from both passes count as missing. The first pass trusts a count that is at most the number of stored rides: if it is too
 * low, stored rides seem to be missing, and the second pass finds them.
 */
export async function readRides(
  fetchPage: FetchPage,
  stored: Stored,
  sink: RowSink,
): Promise<Result<ListPass | null>> {
  const fields = createLostFields(stored.fields)
  let listedRides = 0
  let allRides = stored.rides
  const store = async (rows: Row[], total: TripPage['total']) => {
    if (rows.length === 0) return
    listedRides += rows.filter(({ ride }) => ride !== null).length
    allRides += await sink.store(rows, total)
  }
  /** Only passes on rows with ids that aren't `known`, if given. */
  const readPass = async (known?: ReadonlySet<number>) => {
    const isNew = ({ id }: Row) => !known || (id !== null && !known.has(id))
    const onPage: OnPage = (rows, total) => store(fields.check(rows.filter(isNew)), total)
    const pass = await readPages(fetchPage, onPage, known ? undefined : stored.rides)
    if (!pass.ok) return pass
    const { lost, held } = fields.end()
    if (lost) {
      await sink.refuse(
        lost,
        held.filter(({ lacks }) => lacks.includes(lost)),
      )
      return failed('rwgps_bad_answer')
    }
    for (let from = 0; from < held.length; from += BATCH_SIZE)
      await store(held.slice(from, from + BATCH_SIZE), pass.value.total)
    return pass
  }

  const first = await readPass()
  if (!first.ok) return first
  const { ids, isComplete, rowsWithoutId } = first.value
  if (isComplete && listedRides === allRides) return ok(null)
  // A second pass would find the same rows.
  if (isComplete && rowsWithoutId > 0) return first

  const second = await readPass(ids)
  return second.ok ? ok({ ...second.value, ids: ids.union(second.value.ids) }) : second
}
