import assert from 'node:assert/strict'
import { type FetchPage, type Reading, readList } from './read-list.ts'
import { failed } from './rwgps/result.ts'
import { inTurn, page, range, serve, skippedRow } from './testing.ts'

async function read(fetchPage: FetchPage, toTheEnd = false) {
  const ids: number[] = []
  const result = await readList(
    fetchPage,
    (page) => Promise.resolve(void ids.push(...page.rides.map(({ id }) => id))),
    { toTheEnd },
  )
  return { result, ids }
}

const fail = () => Promise.reject(new Error('disk full'))
const reading = (over: Partial<Reading> = {}) => ({
  ok: true,
  value: { isComplete: true, isCountUnreadable: false, nameless: 0, ...over },
})
const complete = reading()
const incomplete = reading({ isComplete: false })

Deno.test('a list in one page takes one request', async () => {
  const { fetchPage, offsets } = inTurn(page([3, 2, 1], 3))
  assert.deepEqual(await read(fetchPage), { result: complete, ids: [3, 2, 1] })
  assert.deepEqual(offsets, [0])
})

Deno.test('a list that fills its pages exactly takes no request more', async () => {
  const { fetchPage, offsets } = inTurn(page(range(1, 1000), 2000), page(range(1001, 2000), 2000))
  assert.deepEqual((await read(fetchPage)).result, complete)
  assert.deepEqual(offsets, [0, 1000])
})

Deno.test('to its very end it is read until no row comes, whatever the count says', async () => {
  const { fetchPage, offsets } = inTurn(page([4, 3], 2), page([2, 1], 2), page([], 2))
  assert.deepEqual(await read(fetchPage, true), { result: complete, ids: [4, 3, 2, 1] })
  assert.deepEqual(offsets, [0, 2, 4])
})

Deno.test('a server that sends fewer rows than asked for is read on by what it sent', async () => {
  const { fetchPage, offsets } = inTurn(page([5, 4], 5), page([3], 5), page([2, 1], 5))
  assert.deepEqual(await read(fetchPage), { result: complete, ids: [5, 4, 3, 2, 1] })
  assert.deepEqual(offsets, [0, 2, 3])
})

Deno.test('an empty account is whole', async () => {
  assert.deepEqual(await read(inTurn(page([], 0)).fetchPage), { result: complete, ids: [] })
  assert.deepEqual(await read(inTurn(page([], null)).fetchPage), { result: complete, ids: [] })
})

Deno.test('without a count the list ends where no row comes', async () => {
  assert.deepEqual(await read(serve([3, 2, 1], 2, false)), { result: complete, ids: [3, 2, 1] })
})

Deno.test('without a count a server that knows no offset is asked twice', async () => {
  const { fetchPage, offsets } = inTurn(page([2, 1], null), page([2, 1], null), page([2, 1], null))
  assert.deepEqual((await read(fetchPage)).result, complete)
  assert.deepEqual(offsets, [0, 2])
})

Deno.test('a list that ends before its count is not whole', async () => {
  const endings = [page([], 9), page([], null), page([2, 1], 9)]
  for (const ending of endings) {
    const { fetchPage, offsets } = inTurn(page([2, 1], 9), ending)
    assert.deepEqual((await read(fetchPage)).result, incomplete)
    assert.deepEqual(offsets, [0, 2])
  }
})

Deno.test('an unreadable count is reported, and the list is read to its end', async () => {
  const { fetchPage, offsets } = inTurn(page([3, 2], 'unreadable'), page([1], 'unreadable'))
  assert.deepEqual((await read(fetchPage)).result, reading({ isCountUnreadable: true }))
  assert.deepEqual(offsets, [0, 2, 3])
})

Deno.test('rows that repeat do not stand for others', async () => {
  const repeating = inTurn(page([5, 4, 3], 5), page([3, 2, 1], 5))
  assert.deepEqual((await read(repeating.fetchPage)).result, complete)
  const hiding = inTurn(page([5, 4, 3], 5), page([3, 2], 5))
  assert.deepEqual((await read(hiding.fetchPage)).result, incomplete)
})

Deno.test('a count that changes makes the list doubtful', async () => {
  const shrinking = inTurn(page([5, 4, 3], 5), page([1], 4))
  assert.deepEqual((await read(shrinking.fetchPage)).result, incomplete)
  const growing = inTurn(page([5, 4, 3], 5), page([3, 2, 1], 6))
  assert.deepEqual((await read(growing.fetchPage)).result, incomplete)
  // 9 was deleted, so 6 slipped through, and two old rides were uploaded: as many as are counted, but not all.
  const both = inTurn(page([9, 8, 7], 5), page([5, 2, 1], 6))
  assert.deepEqual((await read(both.fetchPage)).result, incomplete)
})

Deno.test('rows that cannot be read count as seen', async () => {
  const named = inTurn(page([3], 2, { rows: 2, skipped: [skippedRow(2)] }))
  assert.deepEqual((await read(named.fetchPage)).result, complete)
  const nameless = inTurn(page([3], 2, { rows: 2, skipped: [skippedRow(null)] }))
  assert.deepEqual((await read(nameless.fetchPage)).result, reading({ nameless: 1 }))
})

Deno.test('pages that bring nothing but nameless rows do not go on for ever', async () => {
  const nameless = page([], 1000, { rows: 2, skipped: [skippedRow(null), skippedRow(null)] })
  const { fetchPage, offsets } = inTurn(page([1], 1000), nameless, nameless)
  assert.deepEqual((await read(fetchPage)).result, reading({ isComplete: false, nameless: 2 }))
  assert.deepEqual(offsets, [0, 1])
})

Deno.test('a failure ends the reading with its code, after what came before was handed on', async () => {
  const { fetchPage } = inTurn(page([4, 3], 4), failed('rwgps_timeout'))
  assert.deepEqual(await read(fetchPage), { result: { ok: false, code: 'rwgps_timeout' }, ids: [4, 3] })
})

Deno.test('the next page is on its way while one is handed on, and no further one', async () => {
  const { fetchPage, offsets } = inTurn(page([3], 3), page([2], 3), page([1], 3))
  const asked: number[] = []
  await readList(fetchPage, () => Promise.resolve(void asked.push(offsets.length)), { toTheEnd: false })
  assert.deepEqual(asked, [2, 3, 3])
})

Deno.test('whoever takes the pages ends the reading by failing', async () => {
  const { fetchPage } = inTurn(page([2], 2), page([1], 2))
  await assert.rejects(readList(fetchPage, fail, { toTheEnd: false }), { message: 'disk full' })
})
