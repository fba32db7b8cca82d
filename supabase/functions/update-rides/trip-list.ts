import { type FetchPage, type ListPass, readPages } from './list-pages.ts'
import { createLostFields } from './lost-fields.ts'
import { failed, ok, type Result } from './rwgps/result.ts'
import type { Field, Row } from './rwgps/trip-page.ts'

/** The stored rides before the sync. */
export interface Stored {
  rides: number
  /** The fields that most rides have. */
  fields: ReadonlySet<Field>
}

/** Receives each row of a list once per sync. */
export interface RowSink {
  /** Stores rides, records skipped rows, and returns the number of new rides. */
  store(rows: Row[]): Promise<number>
  /** Records rows that lack the field that the list lost. */
  refuse(field: Field, rows: Row[]): Promise<void>
}

/** The ids of all passes over the list, and how its last pass went. SQL decides what a mismatch means for missing rides. */
export type ListedRides = ListPass & { ids: number[] }

// Store held rows in batches, because half of a long list may be too much for one request.
const BATCH_SIZE = 1000

/**
 * Reads all rides into the sink. Returns the listed rides if stored rides may have to be removed or a pass found a
 * mismatch, else null. Fails if the list lost a field.
 *
 * If the first pass is incomplete or would remove rides, a second pass reads the list to its end, and only rides missing
 * from both passes count as missing. The server's count may end the first pass if it is at most the number of stored rides:
 * if it is too low, stored rides seem to be missing, and the second pass finds them.
 */
export async function readRides(
  fetchPage: FetchPage,
  stored: Stored,
  sink: RowSink,
): Promise<Result<ListedRides | null>> {
  const ids = new Set<number>()
  const isNew = (id: number) => !ids.has(id) && Boolean(ids.add(id))
  const fields = createLostFields(stored.fields)
  let listedRides = 0
  let allRides = stored.rides
  const store = async (rows: Row[]) => {
    if (rows.length === 0) return
    listedRides += rows.filter(({ ride }) => ride !== null).length
    allRides += await sink.store(rows)
  }
  const readPass = async (isFirst: boolean) => {
    const onPage = (rows: Row[]) =>
      store(fields.check(rows.filter(({ id }) => (id === null ? isFirst : isNew(id)))))
    const pass = await readPages(fetchPage, onPage, isFirst ? stored.rides : undefined)
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
      await store(held.slice(from, from + BATCH_SIZE))
    return pass
  }
  const listed = (pass: ListPass) => ok({ ids: [...ids], ...pass })

  const first = await readPass(true)
  if (!first.ok) return first
  const { isComplete, rowsWithoutId } = first.value
  if (isComplete && listedRides === allRides) return ok(null)
  // A second pass would find the same rows.
  if (isComplete && rowsWithoutId > 0) return listed(first.value)

  const second = await readPass(false)
  return second.ok ? listed(second.value) : second
}

export async function readIds(fetchPage: FetchPage): Promise<Result<number[]>> {
  const ids = new Set<number>()
  const collect = (rows: Row[]) => {
    for (const { id } of rows) if (id !== null) ids.add(id)
    return Promise.resolve()
  }
  const pass = await readPages(fetchPage, collect)
  return pass.ok ? ok([...ids]) : pass
}
