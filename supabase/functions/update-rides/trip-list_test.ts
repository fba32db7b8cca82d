import fc from 'fast-check'
import assert from 'node:assert/strict'
import type { FetchPage } from './list-pages.ts'
import { failed, ok } from './rwgps/result.ts'
import type { Field } from './rwgps/trip-page.ts'
import { createTable, page, pagesInOrder, range, row, serve, skippedRow } from './testing.ts'
import { readIds, readRides } from './trip-list.ts'

// A fixed seed makes failures reproducible.
fc.configureGlobal({ seed: 1 })

async function sync(fetchPage: FetchPage, table: ReturnType<typeof createTable>, fields: Field[] = []) {
  const stored = { rides: table.ids.size, fields: new Set(fields) }
  const result = await readRides(fetchPage, stored, table.sink)
  const listed = result.ok ? result.value : null
  if (listed === null) return { result, listed, pass: null }
  const { ids, ...pass } = listed
  const found = new Set(ids)
  // Like SQL, if nothing suggests that the list is incomplete.
  if (pass.isComplete && pass.count !== 'unreadable' && pass.rowsWithoutId === 0)
    for (const id of table.ids) if (!found.has(id)) table.ids.delete(id)
  return { result, listed: found, pass }
}

const COMPLETE = { isComplete: true, count: 'readable', rowsWithoutId: 0 }
const WRONG_COUNT = { ...COMPLETE, isComplete: false }

const serveWithCount =
  (list: number[], count: number): FetchPage =>
  () =>
    Promise.resolve(ok(page(list, count)))

Deno.test('reads the list once if no ride is missing', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([3, 2], 3), page([2, 1], 3))
  const table = createTable([1, 2, 3])
  assert.equal((await sync(fetchPage, table)).listed, null)
  assert.deepEqual(offsets, [0, 1])
  assert.deepEqual(table.stored, [3, 2, 1])
})

Deno.test('reads to the end of the list if it has more rides than are stored', async () => {
  // The server's count covers only one page.
  const pages = [page([4, 3], 2), page([3, 2], 2), page([2, 1], 2), page([1], 2)]
  const { fetchPage } = pagesInOrder(...pages, ...pages)
  const table = createTable([4])
  assert.deepEqual((await sync(fetchPage, table)).pass, WRONG_COUNT)
  assert.deepEqual(table.stored, [4, 3, 2, 1])
})

Deno.test('reports a count that never matches the list', async () => {
  const table = createTable([1, 2, 9])
  const { fetchPage, offsets } = pagesInOrder(...Array.from({ length: 20 }, () => page([2, 1], 3108)))
  const { listed, pass } = await sync(fetchPage, table)
  assert.deepEqual([listed, pass], [new Set([1, 2]), WRONG_COUNT])
  assert.deepEqual(offsets, [0, 1, 2, 0, 1, 2])
  assert.deepEqual(table.ids, new Set([1, 2, 9]))
})

Deno.test('reports a wrong count whatever is stored', async () => {
  for (const count of [0, 1, 3]) {
    for (const stored of [[], [1], [1, 2]])
      assert.deepEqual((await sync(serveWithCount([2, 1], count), createTable(stored))).pass, WRONG_COUNT)
  }
})

Deno.test('keeps rides if the list ends early with a matching count', async () => {
  const table = createTable([1, 2, 3, 4])
  // The server's count covers only one page, which it sends twice.
  const { fetchPage } = pagesInOrder(page([4, 3], 2), page([4, 3], 2), page([3, 2, 1], 2), page([1], 2))
  await sync(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2, 3, 4]))
})

Deno.test('reports an unreadable count if rides are missing', async () => {
  const { fetchPage } = pagesInOrder(
    page([2, 1], 'unreadable'),
    page([1], 'unreadable'),
    page([2, 1], 'unreadable'),
    page([1], 'unreadable'),
  )
  const { listed, pass } = await sync(fetchPage, createTable([1, 2, 9]))
  assert.deepEqual([listed, pass], [new Set([1, 2]), { ...COMPLETE, count: 'unreadable' }])
})

Deno.test('reports a list without a count that shifts twice', async () => {
  const shifting = [page([3, 2], null), page([1], null), page([], null)]
  const { fetchPage } = pagesInOrder(...shifting, ...shifting)
  const { pass } = await sync(fetchPage, createTable([1, 2, 9]))
  assert.deepEqual(pass, { isComplete: false, count: 'none', rowsWithoutId: 0 })
})

Deno.test('ignores an unreadable count if no ride is missing', async () => {
  const { fetchPage } = pagesInOrder(page([2, 1], 'unreadable'), page([1], 'unreadable'))
  assert.equal((await sync(fetchPage, createTable([1]))).listed, null)
})

Deno.test('records a skipped row once and keeps its ride', async () => {
  const table = createTable([1, 2, 9])
  const withSkipped = page([1, skippedRow(2)], 2)
  const { fetchPage } = pagesInOrder(withSkipped, withSkipped, page([skippedRow(2)], 2))
  await sync(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2]))
  assert.deepEqual(table.skipped, [skippedRow(2)])
})

Deno.test('removes nothing if a row has no id, because it could be any ride', async () => {
  const table = createTable([1, 9])
  const { fetchPage, offsets } = pagesInOrder(page([1, skippedRow(null)], 2))
  assert.deepEqual((await sync(fetchPage, table)).pass, { ...COMPLETE, rowsWithoutId: 1 })
  assert.deepEqual(offsets, [0])
  assert.deepEqual(table.ids, new Set([1, 9]))
  assert.deepEqual(table.skipped, [skippedRow(null)])
})

Deno.test('stores rows that lack a field last, in thousands, if most rows have it', async () => {
  const lacking = range(1, 1500).map((id) => row(id, { lacks: ['distance'] }))
  const complete = range(2001, 4000)
  const table = createTable([])
  const all = [...lacking, ...complete]
  const { result } = await sync(pagesInOrder(page(all, 3500), page([4000], 3500)).fetchPage, table, [
    'distance',
  ])
  assert.deepEqual([result, table.calls], [ok(null), [2000, 1000, 500]])
  assert.deepEqual(table.stored, [...complete, ...range(1, 1500)])
})

Deno.test('stores nothing of a list that lost a field, and records the rows without it', async () => {
  const table = createTable([1, 2, 3])
  const rows = [row(3), row(2, { lacks: ['distance'] }), row(1, { lacks: ['name', 'distance'] })]
  const { result } = await sync(pagesInOrder(page(rows, 3)).fetchPage, table, ['distance'])
  assert.deepEqual(result, failed('rwgps_bad_answer'))
  assert.deepEqual(
    [table.stored, table.skipped.map(({ id, unreadable }) => [id, unreadable])],
    [
      [],
      [
        [2, 'distance'],
        [1, 'distance'],
      ],
    ],
  )
})

Deno.test('reads each id once, including those of skipped rows', async () => {
  const { fetchPage } = pagesInOrder(page([3, 2], 4), page([2, skippedRow(1), skippedRow(null)], 4))
  assert.deepEqual(await readIds(fetchPage), ok([3, 2, 1]))
  assert.deepEqual(await readIds(pagesInOrder(failed('rwgps_timeout')).fetchPage), failed('rwgps_timeout'))
})

Deno.test('reads an empty list twice', async () => {
  const { fetchPage, offsets } = pagesInOrder(page([], 0))
  assert.deepEqual((await sync(fetchPage, createTable([1]))).listed, new Set())
  assert.deepEqual(offsets, [0, 0])
})

Deno.test('removes nothing if either pass fails', async () => {
  const failure = failed('rwgps_unreachable')
  for (const pages of [
    [page([2], 2), failure],
    [page([2, 1], 2), page([1], 2), failure],
  ]) {
    const { result, listed } = await sync(pagesInOrder(...pages).fetchPage, createTable([1, 2, 9]))
    assert.deepEqual([result, listed], [failure, null])
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
        await sync((offset, limit) => serve(list, cap)(Math.max(0, offset - again), limit), table)
        assert.deepEqual(table.ids, new Set(list))
      },
    ),
  )
})

Deno.test('has every remaining ride if the list shifts once during the read, whatever is stored', async () => {
  const anyMove = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    deleted: anyIds,
    uploaded: fc.array(fc.record({ id: fc.integer({ min: 100, max: 120 }), place: fc.nat(30) }), {
      maxLength: 5,
    }),
  })
  const anyPlace = { before: anyIds, held: anyIds, move: anyMove, cap: fc.integer({ min: 2, max: 12 }) }
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...anyPlace, counted: fc.boolean() }),
      async ({ before, held, move, cap, counted }) => {
        const after = before.filter((id) => !move.deleted.includes(id))
        for (const { id, place } of move.uploaded) if (!after.includes(id)) after.splice(place, 0, id)
        const table = createTable(held)
        let requests = 0
        await sync((offset, limit) => {
          requests += 1
          return serve(requests <= move.at ? before : after, cap, counted)(offset, limit)
        }, table)
        const staying = before.filter((id) => after.includes(id))
        assert.deepEqual(
          staying.filter((id) => !table.ids.has(id)),
          [],
        )
      },
    ),
    { numRuns: 500 },
  )
})
