import assert from 'node:assert/strict'
import { newestRows, summarizeList } from './quick-check.ts'
import { failed, ok } from './rwgps/result.ts'
import { page, pagesInOrder, range, row, skippedRow } from './testing.ts'

const dated = (id: number, departed_at: string | null, created_at: string | null = null) =>
  row(id, { ride: { id, time_zone: 'UTC', departed_at, created_at } })

const sortedBy = (...rows: ReturnType<typeof row>[]) => newestRows(page(rows, null)).sortedBy

Deno.test('compares the first 20 rows, each id once', () => {
  const rows = [1, 2, row(1, { position: 3 }), skippedRow(null), skippedRow(null), ...range(4, 30)]
  const newest = newestRows(page(rows, 30))
  assert.deepEqual(
    newest.rows.map(({ id }) => id),
    [1, 2, null, null, ...range(4, 18)],
  )
  assert.equal(newest.rows[0]?.position, 1)
  assert.equal(newest.count, 30)
})

Deno.test('reads an unreadable or missing count as none', () => {
  assert.equal(newestRows(page([1], 'unreadable')).count, null)
  assert.equal(newestRows(page([1], null)).count, null)
})

Deno.test('finds the dates by which the rows are sorted', () => {
  const [old, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
  const [departed, created] = ['departed_at', 'created_at'] as const
  assert.deepEqual(sortedBy(), [departed, created])
  assert.deepEqual(sortedBy(dated(1, late, old), dated(2, late, late), dated(3, old, old)), [departed])
  assert.deepEqual(sortedBy(dated(1, old, late), dated(2, late, old)), [created])
  assert.deepEqual(sortedBy(dated(1, old, old), dated(2, late, late)), [])
  // Rides without departed_at are sorted by upload. Rides without any date can be anywhere.
  assert.deepEqual(sortedBy(dated(1, null, old), dated(2, late, old)), [created])
  assert.deepEqual(sortedBy(dated(1, late), dated(2, null), skippedRow(3), dated(4, old)), [
    departed,
    created,
  ])
})

Deno.test('collects the first ids and the last count of a list', async () => {
  const pages = [page([3, skippedRow(null), ...range(4, 30)], 40), page(range(30, 40), 41), page([], null)]
  const list = pagesInOrder(...pages)
  const { fetchPage, summary } = summarizeList(list.fetchPage)
  for (const [index, expected] of pages.entries()) assert.deepEqual(await fetchPage(index * 28), ok(expected))
  await fetchPage(0, 1)
  assert.deepEqual(summary, { newest: [3, ...range(4, 21)], count: 41 })
})

Deno.test('an empty list has its count, and a failed page changes nothing', async () => {
  const { fetchPage, summary } = summarizeList(pagesInOrder(page([], 0), failed('rwgps_timeout')).fetchPage)
  await fetchPage(0)
  assert.deepEqual(await fetchPage(0), failed('rwgps_timeout'))
  assert.deepEqual(summary, { newest: [], count: 0 })
})
