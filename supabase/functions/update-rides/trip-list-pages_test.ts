import assert from 'node:assert/strict'
import { failed } from './rwgps/result.ts'
import { page, pagesInOrder, range, serve, skippedRow } from './testing.ts'
import { type FetchPage, type ListPass, readPages } from './trip-list.ts'

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
