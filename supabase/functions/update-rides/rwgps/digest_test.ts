import assert from 'node:assert/strict'
import { page, range, row, skippedRow } from '../testing.ts'
import { digestOf } from './digest.ts'

const digest = (rows: Parameters<typeof page>[0], total: Parameters<typeof page>[1] = 30) =>
  digestOf(page(rows, total))
const list = range(1, 30)

Deno.test('the digest covers the first 20 rows in any order', async () => {
  const swapped = [20, ...range(2, 19), 1, ...range(21, 30)]
  for (const same of [swapped, range(1, 20), [...range(1, 20), ...range(50, 70)]])
    assert.equal(await digest(same), await digest(list))
  for (const other of [range(1, 19), [...range(1, 19), 21], range(0, 30)])
    assert.notEqual(await digest(other), await digest(list))
})

Deno.test('the digest changes with the count, a ride, and a skipped row', async () => {
  const different = await Promise.all([
    digest(list),
    digest(list, 31),
    digest(list, null),
    digest(list, 'unreadable'),
    digest(list.with(3, 90)),
    digest([row(1, { ride: { id: 1, name: 'Loop' } }), ...range(2, 30)]),
    digest([skippedRow(1), ...range(2, 30)]),
    digest([skippedRow(null), ...range(2, 30)]),
    digest([row(1, { ride: null, unreadable: 'departed_at' }), ...range(2, 30)]),
  ])
  assert.equal(new Set(different).size, different.length)
})
