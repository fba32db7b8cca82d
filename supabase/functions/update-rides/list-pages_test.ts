import assert from 'node:assert/strict'
import { type FetchPage, readPages } from './list-pages.ts'
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

Deno.test('a list of one page needs one request if its count is trusted, else two', async () => {
  const { result, ids, requests } = await read(serve([3, 2, 1], 5), 3)
  assert.deepEqual(result, {
    ok: true,
    value: { ids: new Set([3, 2, 1]), rowsWithoutId: 0, total: 3, isComplete: true },
  })
  assert.deepEqual([ids, requests], [[3, 2, 1], ['0']])
  for (const trusted of [undefined, 2])
    assert.deepEqual((await read(serve([3, 2, 1], 5), trusted)).requests, ['0', '2'])
})

Deno.test('each page starts with the last row of the page before, and the first row is read again last', async () => {
  const { ids, requests } = await read(serve(range(1, 7), 3), 7)
  assert.deepEqual([ids, requests], [range(1, 7), ['0', '2', '4', '0 limit 1']])
  // Without a trusted count, only a short page ends the list.
  assert.deepEqual((await read(serve(range(1, 7), 3))).requests, ['0', '2', '4', '6', '0 limit 1'])
  assert.deepEqual((await read(serve(range(1, 6), 3))).requests, ['0', '2', '4', '0 limit 1'])
  assert.deepEqual((await read(serve([3, 2, 1], 1), 3)).requests, ['0', '1', '2', '0 limit 1'])
})

Deno.test('a server that ignores the offset gets three requests', async () => {
  const { fetchPage, offsets } = pagesInOrder(...Array.from({ length: 9 }, () => page([2, 1], null)))
  await read(fetchPage)
  assert.deepEqual(offsets, [0, 1, 2])
})

Deno.test('stops at a page without any ids', async () => {
  const withoutIds = page([skippedRow(null), skippedRow(null)], 1000)
  const { fetchPage, offsets } = pagesInOrder(page([1], 1000), withoutIds, withoutIds)
  const { result } = await read(fetchPage)
  assert.equal(result.ok && result.value.rowsWithoutId, 2)
  assert.deepEqual(offsets, [0, 1])
})

const lists: [name: string, isComplete: boolean, ...pages: Parameters<typeof pagesInOrder>][] = [
  ['an empty list', true, page([], 0)],
  ['a list with skipped rows', true, page([3, skippedRow(2), skippedRow(null)], 3)],
  ['a list that ends before its count', false, page([2, 1], 9), page([], null)],
  ['a list that goes on after its count', false, page([4, 3], 2), page([3, 2, 1], 2), page([1], 2)],
  ['an unreadable count', true, page([2, 1], 'unreadable'), page([1], 'unreadable')],
  ['a count that falls', false, page([5, 4, 3], 5), page([3, 1], 4), page([1], 4)],
  ['a count that rises', false, page([5, 4, 3], 5), page([3, 2, 1], 6), page([1], 6)],
  // Ride 5 was deleted and ride 0, an old one, was uploaded: the count matches, but ride 3 is missing.
  ['a page without the last row of the page before', false, page([5, 4], 4), page([2, 0], 4), page([0], 4)],
  ['the same without a count', false, page([5, 4], null), page([2, 0], null), page([0], null)],
]
for (const [name, isComplete, ...pages] of lists) {
  Deno.test(`${name} is ${isComplete ? 'complete' : 'incomplete'}`, async () => {
    const { result } = await read(pagesInOrder(...pages).fetchPage)
    assert.equal(result.ok && result.value.isComplete, isComplete)
  })
}

Deno.test('a different first row shows that the list has shifted', async () => {
  const before = serve([5, 4, 3, 2], 2)
  // Ride 5 was deleted, and ride 6 was uploaded.
  const after = serve([6, 4, 3, 2], 2)
  const { result } = await read((offset, limit) => (limit || offset > 0 ? after : before)(offset, limit), 4)
  assert.equal(result.ok && result.value.isComplete, false)
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
