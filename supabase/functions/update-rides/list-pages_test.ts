import assert from 'node:assert/strict'
import { type FetchPage, type ListPass, readPages } from './list-pages.ts'
import { failed } from './rwgps/result.ts'
import { page, pagesInOrder, range, serve, skippedRow } from './testing.ts'

async function read(fetchPage: FetchPage, trusted?: number) {
  const ids: (number | null)[] = []
  const requests: string[] = []
  const result = await readPages(
    (offset, limit) => {
      requests.push(limit === undefined ? `${offset}` : `${offset} limit ${limit}`)
      return fetchPage(offset, limit)
    },
    (rows) => Promise.resolve(void ids.push(...rows.map(({ id }) => id))),
    trusted,
  )
  return { result, ids, requests }
}

const resultOf = async (...pages: Parameters<typeof pagesInOrder>) =>
  (await read(pagesInOrder(...pages).fetchPage)).result

const pass = (over: Partial<ListPass> = {}) => ({
  ok: true,
  value: { isComplete: true, count: 'readable', rowsWithoutId: 0, ...over },
})
const complete = pass()
const incomplete = pass({ isComplete: false })
const uncounted = pass({ count: 'none' })

Deno.test('a list of one page needs one request if its count is trusted', async () => {
  const { result, ids, requests } = await read(serve([3, 2, 1], 5), 3)
  assert.deepEqual([result, ids, requests], [complete, [3, 2, 1], ['0']])
})

Deno.test('a list of one page needs a second request if its count is not trusted', async () => {
  for (const trusted of [undefined, 2]) {
    const { result, requests } = await read(serve([3, 2, 1], 5), trusted)
    assert.deepEqual([result, requests], [complete, ['0', '2']])
  }
})

Deno.test('each page overlaps the previous one by a row, and the first row is read again last', async () => {
  const { result, ids, requests } = await read(serve(range(1, 7), 3), 7)
  assert.deepEqual([result, ids], [complete, [1, 2, 3, 3, 4, 5, 5, 6, 7]])
  assert.deepEqual(requests, ['0', '2', '4', '0 limit 1'])
  assert.deepEqual((await read(serve(range(1, 7), 3))).requests, ['0', '2', '4', '6', '0 limit 1'])
})

Deno.test('a server that sends one row per page is read row by row', async () => {
  const { result, requests } = await read(serve([3, 2, 1], 1), 3)
  assert.deepEqual([result, requests], [complete, ['0', '1', '2', '0 limit 1']])
})

Deno.test('an empty list is complete', async () => {
  assert.deepEqual(await resultOf(page([], 0)), complete)
  assert.deepEqual(await resultOf(page([], null)), uncounted)
})

Deno.test('without a count, a page without new trips ends the list', async () => {
  const { result, ids } = await read(serve([3, 2, 1], 2, false))
  assert.deepEqual([result, ids], [uncounted, [3, 2, 2, 1, 1]])
})

Deno.test('a server that ignores the offset gets three requests', async () => {
  for (const count of [null, 9]) {
    const { fetchPage, offsets } = pagesInOrder(...Array.from({ length: 9 }, () => page([2, 1], count)))
    assert.deepEqual((await read(fetchPage)).result, count ? incomplete : uncounted)
    assert.deepEqual(offsets, [0, 1, 2])
  }
})

Deno.test('loses no rows if the server repeats some', async () => {
  const fetchPage = serve(range(1, 9), 2)
  const { result, ids } = await read((offset, limit) => fetchPage(Math.max(0, offset - 1), limit))
  assert.deepEqual([result, new Set(ids)], [complete, new Set(range(1, 9))])
})

Deno.test('a list that ends before its count is incomplete', async () => {
  for (const ending of [page([], 9), page([], null), page([1], 9), page([2, 1], 9)])
    assert.deepEqual(await resultOf(page([2, 1], 9), ending), incomplete)
})

Deno.test('a list that goes on after its count is incomplete', async () => {
  assert.deepEqual(await resultOf(page([4, 3], 2), page([3, 2, 1], 2), page([1], 2)), incomplete)
})

Deno.test('reports an unreadable count and reads the list to its end', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2], 'unreadable'), page([2, 1], 'unreadable'))
  assert.deepEqual((await read(fetchPage)).result, pass({ isComplete: false, count: 'unreadable' }))
  assert.deepEqual(offsets, [0, 1, 2])
  const pages = [page([3, 2], 'unreadable'), page([2, 1], 'unreadable'), page([1], 'unreadable')]
  assert.deepEqual(await resultOf(...pages), pass({ count: 'unreadable' }))
})

Deno.test('repeated rows count once', async () => {
  assert.deepEqual(await resultOf(page([5, 4, 3], 5), page([3, 2, 1], 5), page([1], 5)), complete)
  assert.deepEqual(await resultOf(page([5, 4, 3], 5), page([3, 2], 5), page([2], 5)), incomplete)
})

Deno.test('a list with a changing count is incomplete', async () => {
  assert.deepEqual(await resultOf(page([5, 4, 3], 5), page([3, 1], 4), page([1], 4)), incomplete)
  assert.deepEqual(await resultOf(page([5, 4, 3], 5), page([3, 2, 1], 6), page([1], 6)), incomplete)
})

Deno.test('a page without the last row of the previous page shows that the list has shifted', async () => {
  // Ride 5 was deleted and ride 0, an old one, was uploaded: the count matches, but ride 3 is missing.
  assert.deepEqual(await resultOf(page([5, 4], 4), page([2, 0], 4), page([0], 4)), incomplete)
  assert.deepEqual(await resultOf(page([5, 4], null), page([2, 0], null), page([0], null)), {
    ...uncounted,
    value: { ...uncounted.value, isComplete: false },
  })
})

Deno.test('a different first row shows that the list has shifted', async () => {
  const before = serve([5, 4, 3, 2], 2)
  // Ride 5 was deleted, and ride 6 was uploaded.
  const after = serve([6, 4, 3, 2], 2)
  for (const trusted of [undefined, 4]) {
    const { result } = await read(
      (offset, limit) => (limit || offset > 0 ? after : before)(offset, limit),
      trusted,
    )
    assert.deepEqual(result, incomplete)
  }
})

Deno.test('skipped rows count as seen', async () => {
  assert.deepEqual(await resultOf(page([3, skippedRow(2)], 2), page([skippedRow(2)], 2)), complete)
  assert.deepEqual(await resultOf(page([3, skippedRow(null)], 2)), pass({ rowsWithoutId: 1 }))
})

Deno.test('stops at a page without any ids', async () => {
  const withoutIds = page([skippedRow(null), skippedRow(null)], 1000)
  const { fetchPage, offsets } = pagesInOrder(page([1], 1000), withoutIds, withoutIds)
  assert.deepEqual((await read(fetchPage)).result, pass({ isComplete: false, rowsWithoutId: 2 }))
  assert.deepEqual(offsets, [0, 1])
})

Deno.test("passes on earlier pages, then fails with a failed page's code", async () => {
  const failure = failed('rwgps_timeout')
  const { result, ids } = await read(pagesInOrder(page([4, 3], 4), failure).fetchPage)
  assert.deepEqual([result, ids], [failure, [4, 3]])
  const firstFails: FetchPage = (offset, limit) =>
    limit === 1 ? Promise.resolve(failure) : serve([3, 2, 1], 2)(offset)
  assert.deepEqual((await read(firstFails)).result, failure)
})

Deno.test('stores a page while the next one loads, at most one page ahead', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2], 3), page([2, 1], 3), page([1], 3))
  const requested: number[][] = []
  await readPages(fetchPage, () => Promise.resolve(void requested.push([...offsets])))
  assert.deepEqual(requested, [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2],
  ])
})

Deno.test('stops when onPage fails', async () => {
  const reading = readPages(serve([2, 1], 1), () => Promise.reject(new Error('disk full')))
  await assert.rejects(reading, { message: 'disk full' })
})
