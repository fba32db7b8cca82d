import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FetchPage } from './read-list.ts'
import { readIds, readRides } from './read-rides.ts'
import { failed, ok } from './rwgps/result.ts'
import { createTable, inTurn, page, serve, skippedRow } from './testing.ts'

async function refresh(fetchPage: FetchPage, table: ReturnType<typeof createTable>) {
  const result = await readRides(fetchPage, table.sink)
  const listed = result.ok ? result.value : null
  const ids = listed && new Set(listed.ids)
  if (ids !== null && listed?.doubt === null)
    for (const id of table.ids) if (!ids.has(id)) table.ids.delete(id)
  return { result, listed: ids, doubt: listed?.doubt }
}

Deno.test('where nothing is gone, the list is read once and nothing is removed', async () => {
  const { fetchPage, offsets } = inTurn(page([3, 2], 3), page([1], 3))
  const table = createTable([1, 2])
  assert.equal((await refresh(fetchPage, table)).listed, null)
  assert.deepEqual(offsets, [0, 2])
  assert.deepEqual(table.stored, [3, 2, 1])
})

Deno.test('a ride that two readings missed is gone, and no ride is stored twice', async () => {
  const table = createTable([1, 2, 9])
  assert.deepEqual((await refresh(serve([3, 2, 1], 2), table)).listed, new Set([1, 2, 3]))
  assert.deepEqual(table.stored, [3, 2, 1])
  assert.deepEqual(table.ids, new Set([1, 2, 3]))
})

Deno.test('a ride that slipped through while another one was deleted is found by the second reading', async () => {
  const table = createTable([])
  const { fetchPage } = inTurn(page([5, 4], 5), page([2, 1], 4), page([4, 3, 2, 1], 4))
  assert.deepEqual((await refresh(fetchPage, table)).listed, new Set([1, 2, 3, 4, 5]))
  assert.deepEqual(table.stored, [5, 4, 2, 1, 3])
})

Deno.test('a ride that slipped through behind a count that held still is not removed', async () => {
  const table = createTable([1, 2, 3, 4, 5])
  // 5 was deleted and 0, an old ride, uploaded between the first two pages.
  const { fetchPage } = inTurn(page([5, 4], 5), page([2, 1, 0], 5), page([4, 3, 2, 1, 0], 5))
  await refresh(fetchPage, table)
  assert.ok(table.ids.has(3))
})

Deno.test('a list that never adds up says so', async () => {
  const table = createTable([1, 2, 9])
  const { fetchPage, offsets } = inTurn(...Array.from({ length: 20 }, () => page([2, 1], 3108)))
  const { listed, doubt } = await refresh(fetchPage, table)
  assert.deepEqual([listed, doubt], [new Set([1, 2]), 'wrong_count'])
  assert.deepEqual(offsets, [0, 2, 0, 2])
  assert.deepEqual(table.ids, new Set([1, 2, 9]))
})

Deno.test('a list that ends early by every sign but its size is not believed at its second end', async () => {
  const table = createTable([1, 2, 3, 4])
  // The count is that of a page, and the server answers no page but the first on the way to the end.
  const { fetchPage } = inTurn(page([4, 3], 2), page([4, 3], 2), page([2, 1], 2), page([], 2))
  await refresh(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2, 3, 4]))
})

Deno.test('an unreadable count makes missing rides doubtful', async () => {
  const { fetchPage } = inTurn(page([2, 1], 'unreadable'), page([], 'unreadable'), page([2, 1], 2))
  const { listed, doubt } = await refresh(fetchPage, createTable([1, 2, 9]))
  assert.deepEqual([listed, doubt], [new Set([1, 2]), 'unreadable_count'])
})

Deno.test('an unreadable count is no trouble where nothing is missing', async () => {
  const { fetchPage } = inTurn(page([2, 1], 'unreadable'))
  assert.equal((await refresh(fetchPage, createTable([1]))).listed, null)
})

Deno.test('a row that cannot be read is skipped once, and its ride stays', async () => {
  const table = createTable([1, 2, 9])
  const answer = page([1], 2, { rows: 2, skipped: [skippedRow(2)] })
  const { fetchPage } = inTurn(answer, answer, page([], 2))
  await refresh(fetchPage, table)
  assert.deepEqual(table.ids, new Set([1, 2]))
  assert.deepEqual(table.skippedRows, [skippedRow(2)])
})

Deno.test('a row without an id could be any ride, so none is removed', async () => {
  const table = createTable([1, 9])
  const { fetchPage, offsets } = inTurn(page([1], 2, { rows: 2, skipped: [skippedRow(null)] }))
  assert.equal((await refresh(fetchPage, table)).doubt, 'rows_without_id')
  assert.deepEqual(offsets, [0])
  assert.deepEqual(table.ids, new Set([1, 9]))
  assert.deepEqual(table.skippedRows, [skippedRow(null)])
})

Deno.test('the ids of a list include those of skipped rows, each once', async () => {
  const { fetchPage } = inTurn(
    page([3, 2], 4),
    page([2], 4, { rows: 3, skipped: [skippedRow(1), skippedRow(null)] }),
  )
  assert.deepEqual(await readIds(fetchPage), ok([3, 2, 1]))
  assert.deepEqual(await readIds(inTurn(failed('rwgps_timeout')).fetchPage), failed('rwgps_timeout'))
})

Deno.test('an account found empty is read twice before anybody is told', async () => {
  const { fetchPage, offsets } = inTurn(page([], 0))
  assert.deepEqual((await refresh(fetchPage, createTable([1]))).listed, new Set())
  assert.deepEqual(offsets, [0, 0])
})

Deno.test('a failure in either reading removes nothing', async () => {
  const failures = [
    inTurn(page([2], 2), failed('rwgps_unreachable')),
    inTurn(page([2, 1], 2), failed('rwgps_unreachable')),
  ]
  for (const { fetchPage } of failures) {
    const { result, listed } = await refresh(fetchPage, createTable([1, 2, 9]))
    assert.deepEqual([result, listed], [{ ok: false, code: 'rwgps_unreachable' }, null])
  }
})

const anyIds = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })

Deno.test('for any list, page size and table, the table becomes the list', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyIds,
      anyIds,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      async (list, held, cap, counted) => {
        const table = createTable(held)
        await refresh(serve(list, cap, counted), table)
        assert.deepEqual(table.ids, new Set(list))
        assert.equal(table.stored.length, list.length)
      },
    ),
  )
})

Deno.test('a server that repeats rows at each page loses none', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyIds,
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 0, max: 1 }),
      async (list, cap, again) => {
        const table = createTable([99])
        await refresh((offset) => {
          const from = Math.max(0, offset - again)
          return Promise.resolve(ok(page(list.slice(from, from + cap), list.length)))
        }, table)
        assert.deepEqual(table.ids, new Set(list))
      },
    ),
  )
})

Deno.test('a list that moves once while it is read, in whatever way, loses no ride that stays in it', async () => {
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
      await refresh((offset) => {
        requests += 1
        return serve(requests <= move.at ? before : after, cap)(offset)
      }, table)
      const staying = before.filter((id) => after.includes(id))
      assert.deepEqual(
        staying.filter((id) => !table.ids.has(id)),
        [],
      )
    }),
    { numRuns: 500 },
  )
})
