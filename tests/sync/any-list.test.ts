import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wallClock } from '../database/usage.ts'
import { anyList, lostField, type Row, type TripCase } from './any-trip.ts'
import { type Fault, temporary } from './faults.ts'
import type { Call } from './ride-with-gps.ts'
import { openTracker, type Tracker } from './tracker.ts'
import { cases } from '../cases.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
afterAll(() => tracker.close())

/** Rows per page, repeated rows per page, and whether the list has a count. */
const anyPaging = fc.record({
  cap: fc.integer({ min: 2, max: 12 }),
  repeated: fc.integer({ min: 0, max: 1 }),
  counted: fc.boolean(),
})

type Paging = typeof anyPaging extends fc.Arbitrary<infer T> ? T : never

const anyTemporaryFault = fc.constantFrom<Fault | null>(
  null,
  null,
  temporary(429),
  temporary(500),
  temporary(503),
)
/** Faults that four attempts per request can recover from. */
const anyTemporaryFaults = fc.array(anyTemporaryFault, { maxLength: 12 }).filter(
  (faults) =>
    !faults
      .map((fault) => (fault ? 'x' : '.'))
      .join('')
      .includes('xxxx'),
)

const anyPermanentFault = fc.constantFrom<Fault>(
  { status: 401 },
  { status: 200, body: '<html>' },
  { truncatedTo: 0.7 },
)
const anyFailure = fc.record({
  after: fc.nat(6),
  fault: anyPermanentFault,
  call: fc.constantFrom<Call>('user', 'trips'),
})

const FACTS = `name, gear_id, time_zone, distance, duration, moving_time, max_speed, avg_speed, avg_hr, max_hr, avg_watts,
  max_watts, avg_cad, elevation_gain, is_stationary, to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS') as started_at`

const stored = (): Promise<Row[]> =>
  tracker.project.query<Row>(`
    select id, highlighted_photo_id, has_map, ${FACTS},
      (extract(epoch from created_at) * 1000)::bigint as created_at,
      (extract(epoch from departed_at) * 1000)::bigint as departed_at,
      (extract(epoch from updated_at) * 1000)::bigint as updated_at
    from public.rides order by id`)

const versions = () =>
  tracker.project.query('select id, xmin::text, xmax::text, ctid::text from public.rides order by id')

const expected = (list: TripCase[]): Row[] =>
  list
    .map(({ row }): Row => {
      const instant = row.departed_at ?? row.created_at
      const started =
        typeof instant === 'number' ? wallClock(new Date(instant).toISOString(), String(row.time_zone)) : null
      return { ...row, started_at: started }
    })
    .toSorted((a, b) => Number(a.id) - Number(b.id))

/** Serves `list`, and after the first `until` list requests, `later`. */
function serve(list: TripCase[], { cap, repeated, counted }: Paging, until = Infinity, later = list): void {
  tracker.rwgps.reset()
  tracker.rwgps.behavior.page = ({ number, offset, limit }) => {
    const all = (number <= until ? list : later).map(({ trip }) => trip)
    const from = Math.max(0, offset - repeated)
    const results = all.slice(from, from + Math.min(cap, limit))
    return counted ? { results, results_count: all.length } : results
  }
}

/** Uploads and deletions that shift the list during a sync, after `until` list requests. */
const anyShift = fc.record({
  /** The number of rides that are stored before. */
  stored: fc.oneof(fc.constant(0), fc.nat(25)),
  until: fc.integer({ min: 1, max: 6 }),
  deleted: fc.subarray(Array.from({ length: 25 }, (_, index) => index)),
  uploaded: fc.array(fc.nat(25), { maxLength: 5 }),
})
type Shift = typeof anyShift extends fc.Arbitrary<infer T> ? T : never

/** Deletes the rows at some positions of a list, and uploads rides of another list at others. */
function shift(list: TripCase[], other: TripCase[], { deleted, uploaded }: Shift): TripCase[] {
  const shifted = list.filter((_, index) => !deleted.includes(index))
  const isNew = ({ row }: TripCase) => !list.some((old) => old.row.id === row.id)
  for (const [index, ride] of other.filter(isNew).slice(0, uploaded.length).entries())
    shifted.splice(uploaded[index]!, 0, ride)
  return shifted
}

/** Syncs while the list shifts. Expects that every ride that stays in the list is stored. */
async function syncWhileShifting(list: TripCase[], other: TripCase[], paging: Paging, moves: Shift) {
  await tracker.reset()
  serve(list.slice(0, moves.stored), paging)
  await tracker.update()
  const later = shift(list, other, moves)
  serve(list, paging, moves.until, later)
  // The rest of the list may lack a field.
  if ((await tracker.update()).status !== 200) return
  const ids = new Set((await stored()).map(({ id }) => id))
  const staying = list.filter((ride) => later.includes(ride)).map(({ row }) => row.id)
  expect(staying.filter((id) => !ids.has(id))).toEqual([])
}

const INTERNAL = new Set([
  'id',
  'is_after',
  'created_at',
  'departed_at',
  'updated_at',
  'has_map',
  'highlighted_photo_id',
])
const factsOf = (rows: Row[]) =>
  new Map(
    rows.map((row) => [
      row.id,
      Object.fromEntries(Object.entries(row).filter(([key]) => !INTERNAL.has(key))),
    ]),
  )

/** Syncs, and expects the recorded changes to match a plain diff of the rides before and after. */
async function updateAndDiff() {
  const before = factsOf(await stored())
  const answer = await tracker.update()
  const after = factsOf(await stored())
  const recorded = await tracker.project.query<Row>(`
    select ${FACTS}, ride_id as id, is_after from public.ride_changes where sync_id = (select max(id) from public.ride_syncs)`)
  for (const [isAfter, mine, other] of [
    [false, before, after],
    [true, after, before],
  ] as const) {
    const differing = [...mine].filter(([id, facts]) => !isDeepStrictEqual(facts, other.get(id)))
    const rows = recorded.filter((row) => row.is_after === isAfter)
    expect(factsOf(rows)).toEqual(new Map(differing))
  }
  return answer
}

/** Syncs, and expects a failure if the list lost a field. Resolves to whether the sync succeeded. */
async function syncAndCheck(list: TripCase[], paging: Paging, temporaryFaults: (Fault | null)[] = []) {
  const before = await stored()
  const lost = lostField(before, list)
  serve(list, paging)
  tracker.rwgps.behavior.faults.trips = temporaryFaults
  const { status } = await updateAndDiff()
  const { code, skipped_rows } = (await tracker.history()).at(-1)!
  const skipped = new Set(skipped_rows.split('\n').map((row) => row.split(' ')[1]))
  expect({ status, code, skipped }).toEqual(
    lost === undefined
      ? { status: 200, code: null, skipped: new Set([undefined]) }
      : { status: 502, code: 'rwgps_bad_answer', skipped: new Set([lost]) },
  )
  if (lost === undefined) return true
  // Pages with the field may have been stored before the failure.
  const changed = (await stored()).filter((row) => !before.some((old) => isDeepStrictEqual(old, row)))
  expect(list.length > paging.cap ? changed.filter((row) => row[lost] === null) : changed).toEqual([])
  return false
}
test('the table matches the list after any paging and faults, and another sync writes nothing', async () => {
  const anyCase = fc.record({
    before: anyList,
    list: anyList,
    paging: anyPaging,
    shifts: fc.array(anyShift, { maxLength: 1 }),
    failures: fc.array(anyFailure, { maxLength: 2 }),
    temporaryFaults: anyTemporaryFaults,
  })
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ before, list, paging, shifts, failures, temporaryFaults }) => {
      for (const moves of shifts) await syncWhileShifting(before, list, paging, moves)
      await tracker.reset()
      serve(before, paging)
      expect(await tracker.update()).toMatchObject({ status: 200 })
      expect(await stored()).toEqual(expected(before))

      for (const { after, fault, call } of failures) {
        serve(list, paging)
        tracker.rwgps.behavior.faults[call] = [...Array<null>(call === 'user' ? 0 : after).fill(null), fault]
        await updateAndDiff()
      }
      const ids = new Set(list.map(({ row }) => row.id))
      const missing = (await stored()).filter(({ id }) => !ids.has(id)).length
      if (!(await syncAndCheck(list, paging, temporaryFaults))) return
      const mismatch = missing > 0 && list.length === 0 ? 'empty_list' : missing > 10 ? 'many_missing' : null
      expect((await tracker.history()).at(-1)).toMatchObject({
        pending_removals: mismatch ? missing : 0,
        mismatch,
      })
      if (mismatch) {
        // If many rides are missing, removing them needs a second sync.
        await tracker.pass('50 minutes')
        if (!(await syncAndCheck(list, paging))) return
      }
      expect(await stored()).toEqual(expected(list))

      const written = await versions()
      serve(list, { ...paging, cap: paging.cap + 1 })
      expect(await tracker.update()).toMatchObject({ body: { added: 0, changed: 0, removed: 0 } })
      expect(await versions()).toEqual(written)
    }),
    // The limit also stops the search for a smaller counterexample.
    { numRuns: cases(60), interruptAfterTimeLimit: 60_000 },
  )
})
