import fc from 'fast-check'
import assert from 'node:assert/strict'
import { failed, ok } from './rwgps/result.ts'
import { createTable, page, pagesInOrder, range, serve, skippedRow } from './testing.ts'
import { type FetchPage, type ListPass, readIds, readPages, readRides } from './trip-list.ts'

// The same cases in every run, so a red run is red again.
fc.configureGlobal({ seed: 1 })

async function read(fetchPage: FetchPage, toTheEnd = false) {
  const ids: number[] = []
  const result = await readPages(
    fetchPage,
    (page) => Promise.resolve(void ids.push(...page.rides.map(({ id }) => id))),
    { toTheEnd },
  )
  return { result, ids }
}

const fail = () => Promise.reject(new Error('disk full'))
const pass = (over: Partial<ListPass> = {}) => ({
  ok: true,
  value: { isComplete: true, isCountUnreadable: false, rowsWithoutId: 0, ...over },
})
const complete = pass()
const incomplete = pass({ isComplete: false })

Deno.test('a list of one page needs one request', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2, 1], 3))
  assert.deepEqual(await read(fetchPage), { result: complete, ids: [3, 2, 1] })
  assert.deepEqual(offsets, [0])
})

Deno.test('a list that exactly fills its pages needs no extra request', async () => {
  const { fetchPage, offsets } = pagesInOrder(page(range(1, 1000), 2000), page(range(1001, 2000), 2000))
  assert.deepEqual((await read(fetchPage)).result, complete)
  assert.deepEqual(offsets, [0, 1000])
})

Deno.test('with toTheEnd, reads until an empty page, whatever the count', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([4, 3], 2), page([2, 1], 2), page([], 2))
  assert.deepEqual(await read(fetchPage, true), { result: complete, ids: [4, 3, 2, 1] })
  assert.deepEqual(offsets, [0, 2, 4])
})

Deno.test('continues at the number of rows received if a server sends fewer than requested', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([5, 4], 5), page([3], 5), page([2, 1], 5))
  assert.deepEqual(await read(fetchPage), { result: complete, ids: [5, 4, 3, 2, 1] })
  assert.deepEqual(offsets, [0, 2, 3])
})

Deno.test('an empty list is complete', async () => {
  assert.deepEqual(await read(pagesInOrder(page([], 0)).fetchPage), { result: complete, ids: [] })
  assert.deepEqual(await read(pagesInOrder(page([], null)).fetchPage), { result: complete, ids: [] })
})

Deno.test('without a count, an empty page ends the list', async () => {
  assert.deepEqual(await read(serve([3, 2, 1], 2, false)), { result: complete, ids: [3, 2, 1] })
})

Deno.test('without a count, a server that ignores the offset gets two requests', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([2, 1], null), page([2, 1], null), page([2, 1], null))
  assert.deepEqual((await read(fetchPage)).result, complete)
  assert.deepEqual(offsets, [0, 2])
})

Deno.test('a list that ends before its count is incomplete', async () => {
  const endings = [page([], 9), page([], null), page([2, 1], 9)]
  for (const ending of endings) {
    const { fetchPage, offsets } = pagesInOrder(page([2, 1], 9), ending)
    assert.deepEqual((await read(fetchPage)).result, incomplete)
    assert.deepEqual(offsets, [0, 2])
  }
})

Deno.test('reports an unreadable count and reads the list to its end', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2], 'unreadable'), page([1], 'unreadable'))
  assert.deepEqual((await read(fetchPage)).result, pass({ isCountUnreadable: true }))
  assert.deepEqual(offsets, [0, 2, 3])
})

Deno.test('repeated rows count once', async () => {
  const repeating = pagesInOrder(page([5, 4, 3], 5), page([3, 2, 1], 5))
  assert.deepEqual((await read(repeating.fetchPage)).result, complete)
  const hiding = pagesInOrder(page([5, 4, 3], 5), page([3, 2], 5))
  assert.deepEqual((await read(hiding.fetchPage)).result, incomplete)
})

Deno.test('a list with a changing count is incomplete', async () => {
  const shrinking = pagesInOrder(page([5, 4, 3], 5), page([1], 4))
  assert.deepEqual((await read(shrinking.fetchPage)).result, incomplete)
  const growing = pagesInOrder(page([5, 4, 3], 5), page([3, 2, 1], 6))
  assert.deepEqual((await read(growing.fetchPage)).result, incomplete)
  // 9 was deleted, so 6 slipped through, and two old rides were uploaded: the count matches, but 6 is missing.
  const both = pagesInOrder(page([9, 8, 7], 5), page([5, 2, 1], 6))
  assert.deepEqual((await read(both.fetchPage)).result, incomplete)
})

Deno.test('skipped rows count as seen', async () => {
  const withId = pagesInOrder(page([3], 2, { rows: 2, skipped: [skippedRow(2)] }))
  assert.deepEqual((await read(withId.fetchPage)).result, complete)
  const withoutId = pagesInOrder(page([3], 2, { rows: 2, skipped: [skippedRow(null)] }))
  assert.deepEqual((await read(withoutId.fetchPage)).result, pass({ rowsWithoutId: 1 }))
})

Deno.test('stops at a page of only rows without an id', async () => {
  const withoutIds = page([], 1000, { rows: 2, skipped: [skippedRow(null), skippedRow(null)] })
  const { fetchPage, offsets } = pagesInOrder(page([1], 1000), withoutIds, withoutIds)
  assert.deepEqual((await read(fetchPage)).result, pass({ isComplete: false, rowsWithoutId: 2 }))
  assert.deepEqual(offsets, [0, 1])
})

Deno.test('passes on earlier pages and then fails with the code of a failed page', async () => {
  const { fetchPage } = pagesInOrder(page([4, 3], 4), failed('rwgps_timeout'))
  assert.deepEqual(await read(fetchPage), { result: { ok: false, code: 'rwgps_timeout' }, ids: [4, 3] })
})

Deno.test('loads one page ahead', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3], 3), page([2], 3), page([1], 3))
  const requests: number[] = []
  await readPages(fetchPage, () => Promise.resolve(void requests.push(offsets.length)), { toTheEnd: false })
  assert.deepEqual(requests, [2, 3, 3])
})

Deno.test('stops when onPage fails', async () => {
  const { fetchPage } = pagesInOrder(page([2], 2), page([1], 2))
  await assert.rejects(readPages(fetchPage, fail, { toTheEnd: false }), { message: 'disk full' })
})

async function sync(fetchPage: FetchPage, table: ReturnType<typeof createTable>) {
  const result = await readRides(fetchPage, table.sink)
  const listed = result.ok ? result.value : null
  const ids = listed && new Set(listed.ids)
  if (ids !== null && listed?.doubt === null)
    for (const id of table.ids) if (!ids.has(id)) table.ids.delete(id)
  return { result, listed: ids, doubt: listed?.doubt }
}

Deno.test('reads the list once if no ride is missing', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2], 3), page([1], 3))
  const table = createTable([1, 2])
  assert.equal((await sync(fetchPage, table)).listed, null)
  assert.deepEqual(offsets, [0, 2])
  assert.deepEqual(table.stored, [3, 2, 1])
})

Deno.test('removes a ride that both passes missed, and stores no ride twice', async () => {
  const table = createTable([1, 2, 9])
  assert.deepEqual((await sync(serve([3, 2, 1], 2), table)).listed, new Set([1, 2, 3]))
  assert.deepEqual(table.stored, [3, 2, 1])
  assert.deepEqual(table.ids, new Set([1, 2, 3]))
})

Deno.test('the second pass finds a ride that slipped through when another one was deleted', async () => {
  const table = createTable([])
  const { fetchPage } = pagesInOrder(page([5, 4], 5), page([2, 1], 4), page([4, 3, 2, 1], 4))
  assert.deepEqual((await sync(fetchPage, table)).listed, new Set([1, 2, 3, 4, 5]))
  assert.deepEqual(table.stored, [5, 4, 2, 1, 3])
})

Deno.test('keeps a ride that slipped through although the count stayed the same', async () => {
  const table = createTable([1, 2, 3, 4, 5])
  // 5 was deleted and 0, an old ride, uploaded between the first two pages.
  const { fetchPage } = pagesInOrder(page([5, 4], 5), page([2, 1, 0], 5), page([4, 3, 2, 1, 0], 5))
  await sync(fetchPage, table)
  assert.ok(table.ids.has(3))
})

Deno.test('reports a count that never matches the list', async () => {
  const table = createTable([1, 2, 9])
  const { fetchPage, offsets } = pagesInOrder(...Array.from({ length: 20 }, () => page([2, 1], 3108)))
  const { listed, doubt } = await sync(fetchPage, table)
  assert.deepEqual([listed, doubt], [new Set([1, 2]), 'wrong_count'])
  assert.deepEqual(offsets, [0, 2, 0, 2])
  assert.deepEqual(table.ids, new Set([1, 2, 9]))
})

Deno.test('keeps rides if the list ends early with a matching count', async () => {
  const table = createTable([1, 2, 3, 4])
  // The count is that of one page, and the server first repeats that page.
  const { fetchPage } = pagesInOrder(page([4, 3], 2), page([4, 3], 2), page([2, 1], 2), page([], 2))
  await sync(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2, 3, 4]))
})

Deno.test('reports an unreadable count if rides are missing', async () => {
  const { fetchPage } = pagesInOrder(page([2, 1], 'unreadable'), page([], 'unreadable'), page([2, 1], 2))
  const { listed, doubt } = await sync(fetchPage, createTable([1, 2, 9]))
  assert.deepEqual([listed, doubt], [new Set([1, 2]), 'unreadable_count'])
})

Deno.test('ignores an unreadable count if no ride is missing', async () => {
  const { fetchPage } = pagesInOrder(page([2, 1], 'unreadable'))
  assert.equal((await sync(fetchPage, createTable([1]))).listed, null)
})

Deno.test('records a skipped row once and keeps its ride', async () => {
  const table = createTable([1, 2, 9])
  const withSkipped = page([1], 2, { rows: 2, skipped: [skippedRow(2)] })
  const { fetchPage } = pagesInOrder(withSkipped, withSkipped, page([], 2))
  await sync(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2]))
  assert.deepEqual(table.skippedRows, [skippedRow(2)])
})

Deno.test('removes nothing if a row has no id, because it could be any ride', async () => {
  const table = createTable([1, 9])
  const { fetchPage, offsets } = pagesInOrder(page([1], 2, { rows: 2, skipped: [skippedRow(null)] }))
  assert.equal((await sync(fetchPage, table)).doubt, 'rows_without_id')
  assert.deepEqual(offsets, [0])
  assert.deepEqual(table.ids, new Set([1, 9]))
  assert.deepEqual(table.skippedRows, [skippedRow(null)])
})

Deno.test('reads each id once, including those of skipped rows', async () => {
  const { fetchPage } = pagesInOrder(
    page([3, 2], 4),
    page([2], 4, { rows: 3, skipped: [skippedRow(1), skippedRow(null)] }),
  )
  assert.deepEqual(await readIds(fetchPage), ok([3, 2, 1]))
  assert.deepEqual(await readIds(pagesInOrder(failed('rwgps_timeout')).fetchPage), failed('rwgps_timeout'))
})

Deno.test('reads an empty list twice', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([], 0))
  assert.deepEqual((await sync(fetchPage, createTable([1]))).listed, new Set())
  assert.deepEqual(offsets, [0, 0])
})

Deno.test('removes nothing if either pass fails', async () => {
  const failures = [
    pagesInOrder(page([2], 2), failed('rwgps_unreachable')),
    pagesInOrder(page([2, 1], 2), failed('rwgps_unreachable')),
  ]
  for (const { fetchPage } of failures) {
    const { result, listed } = await sync(fetchPage, createTable([1, 2, 9]))
    assert.deepEqual([result, listed], [{ ok: false, code: 'rwgps_unreachable' }, null])
  }
})

const anyIds = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })

Deno.test('for any list, page size and table, the table ends up equal to the list', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyIds,
      anyIds,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      async (list, held, cap, counted) => {
        const table = createTable(held)
        await sync(serve(list, cap, counted), table)
        assert.deepEqual(table.ids, new Set(list))
        assert.equal(table.stored.length, list.length)
      },
    ),
  )
})

Deno.test('loses no ride if the server repeats rows on each page', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyIds,
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 0, max: 1 }),
      async (list, cap, again) => {
        const table = createTable([99])
        await sync((offset) => {
          const from = Math.max(0, offset - again)
          return Promise.resolve(ok(page(list.slice(from, from + cap), list.length)))
        }, table)
        assert.deepEqual(table.ids, new Set(list))
      },
    ),
  )
})

Deno.test('keeps every remaining ride if the list shifts once while it is read', async () => {
  const anyMove = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    deleted: anyIds,
    uploaded: fc.array(fc.record({ id: fc.integer({ min: 100, max: 120 }), place: fc.nat(30) }), {
      maxLength: 5,
    }),
  })
  await fc.assert(
    fc.asyncProperty(anyIds, anyMove, fc.integer({ min: 1, max: 12 }), async (before, move, cap) => {
      const after = before.filter((id) => !move.deleted.includes(id))
      for (const { id, place } of move.uploaded) if (!after.includes(id)) after.splice(place, 0, id)
      const table = createTable([...before, 50])
      let requests = 0
      await sync((offset) => {
        requests += 1
        return serve(requests <= move.at ? before : after, cap)(offset)
      }, table)
      const staying = before.filter((id) => after.includes(id))
      assert.deepEqual(
        staying.filter((id) => !table.ids.has(id)),
        [],
      )
    }),
    { numRuns: 200 },
  )
})
