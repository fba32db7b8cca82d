import fc from 'fast-check'
import assert from 'node:assert/strict'
import type { FetchPage } from './list-pages.ts'
import { failed, ok } from './rwgps/result.ts'
import type { Field, Row } from './rwgps/trip-page.ts'
import { page, pagesInOrder, range, row, serve, skippedRow } from './testing.ts'
import { readRides } from './trip-list.ts'

/** Syncs into a table with the rides `before`, most of which have `fields`. */
async function sync(fetchPage: FetchPage, before: number[], fields: Field[] = []) {
  const ids = new Set(before)
  const stored: (number | null)[][] = []
  const refused: unknown[] = []
  const result = await readRides(
    fetchPage,
    { rides: before.length, fields: new Set(fields) },
    {
      store(rows: Row[]) {
        stored.push(rows.map(({ id }) => id))
        const known = ids.size
        for (const { ride } of rows) if (ride) ids.add(ride.id)
        return Promise.resolve(ids.size - known)
      },
      refuse: (field, rows) => Promise.resolve(void refused.push([field, rows.map(({ id }) => id)])),
    },
  )
  // Like SQL, if nothing suggests that the list is incomplete.
  if (result.ok && result.value?.isComplete)
    for (const id of ids) if (!result.value.ids.has(id)) ids.delete(id)
  return { result, ids, stored, refused }
}

Deno.test('reads the list once if no ride is missing, whatever its count', async () => {
  for (const total of [3, null, 'unreadable'] as const) {
    const { fetchPage, offsets } = pagesInOrder(page([3, 2], total), page([2, 1], total), page([1], total))
    const { result, stored } = await sync(fetchPage, [1, 2, 3])
    assert.deepEqual([result, stored], [ok(null), [[3, 2], [1]]])
    assert.deepEqual(offsets, total === 3 ? [0, 1] : [0, 1, 2])
  }
})

Deno.test('reads the list again if rides are missing, and returns the ids of both passes', async () => {
  // The server's count covers only one page, and the list shifts between the passes.
  const { fetchPage } = pagesInOrder(page([4, 3], 2), page([3, 2], 2), page([2, 1], 2), page([1], 2))
  const { result, stored } = await sync(fetchPage, [1, 2, 3, 4])
  assert.deepEqual(result, ok({ ids: new Set([4, 3, 2, 1]), total: 2, rowsWithoutId: 0, isComplete: false }))
  assert.deepEqual(stored, [[4, 3], [2], [1]])
})

Deno.test('reports a wrong count whatever is stored', async () => {
  for (const count of [0, 1, 3]) {
    for (const before of [[], [1], [1, 2], [1, 2, 9]]) {
      const { fetchPage } = pagesInOrder(...Array.from({ length: 9 }, () => page([2, 1], count)))
      const { result } = await sync(fetchPage, before)
      assert.deepEqual(
        result,
        ok({ ids: new Set([2, 1]), total: count, rowsWithoutId: 0, isComplete: false }),
      )
    }
  }
})

Deno.test('reads a list with a row without an id once, because the row could be any ride', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([1, skippedRow(null)], 2))
  const { result, stored } = await sync(fetchPage, [1, 9])
  assert.deepEqual(result, ok({ ids: new Set([1]), total: 2, rowsWithoutId: 1, isComplete: true }))
  assert.deepEqual([offsets, stored], [[0], [[1, null]]])
})

Deno.test('stores rows that lack a field last, in thousands, if most rows have it', async () => {
  const lacking = range(1, 1500).map((id) => row(id, { lacks: ['distance'] }))
  const pages = [page([...lacking, ...range(2001, 4000)], 3500), page([4000], 3500)]
  const { result, stored } = await sync(pagesInOrder(...pages).fetchPage, [], ['distance'])
  assert.deepEqual(result, ok(null))
  assert.deepEqual(stored, [range(2001, 4000), range(1, 1000), range(1001, 1500)])
})

Deno.test('stores nothing of a list that lost a field, and records the rows without it', async () => {
  const rows = [row(3), row(2, { lacks: ['distance'] }), row(1, { lacks: ['name', 'distance'] })]
  const { result, stored, refused } = await sync(
    pagesInOrder(page(rows, 3)).fetchPage,
    [1, 2, 3],
    ['distance'],
  )
  assert.deepEqual([result, stored, refused], [failed('rwgps_bad_answer'), [], [['distance', [2, 1]]]])
})

Deno.test('fails if either pass fails', async () => {
  const failure = failed('rwgps_unreachable')
  for (const pages of [
    [page([2], 2), failure],
    [page([2, 1], 2), page([1], 2), failure],
  ])
    assert.deepEqual((await sync(pagesInOrder(...pages).fetchPage, [1, 2, 9])).result, failure)
})

const anyIds = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
const anyCase = fc.record({
  before: anyIds,
  stored: fc.oneof(fc.constant<number[]>([]), anyIds),
  deleted: fc.uniqueArray(fc.nat(12), { maxLength: 4 }),
  uploaded: fc.array(fc.record({ id: fc.integer({ min: 100, max: 120 }), position: fc.nat(12) }), {
    maxLength: 5,
  }),
  /** The requests before the list shifts. */
  until: fc.nat(6),
  cap: fc.integer({ min: 2, max: 8 }),
  counted: fc.boolean(),
})

Deno.test('has every ride that stays if the list shifts once, whatever is stored', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ before, stored, deleted, uploaded, until, cap, counted }) => {
      const after = before.filter((_, index) => !deleted.includes(index))
      for (const { id, position } of uploaded) if (!after.includes(id)) after.splice(position, 0, id)
      let requests = 0
      const { ids } = await sync((offset, limit) => {
        requests += 1
        return serve(requests <= until ? before : after, cap, counted)(offset, limit)
      }, stored)
      assert.deepEqual(
        before.filter((id) => after.includes(id) && !ids.has(id)),
        [],
      )
      if (until === 0) assert.deepEqual(ids, new Set(after))
    }),
    { seed: 1, numRuns: 1000 },
  )
})
