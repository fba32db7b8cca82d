import assert from 'node:assert/strict'
import { chainItem, totalsFor } from '../_shared/testing.ts'
import type { WhatIf } from './contract.ts'
import { affectedBy, compareUsed } from './what-if.ts'

const BEFORE = chainItem({ id: 1, since: '2025-01-01T01:00:00', until: '2025-04-11T08:30:00' })
const ITEM = chainItem({ id: 2, name: 'chain ', since: '2025-04-11T08:30:00', until: '2025-08-01T01:00:00' })
const AFTER = chainItem({ id: 3, since: '2025-08-01T01:00:00', until: null })
const OTHERS = [
  chainItem({ id: 4, gear_id: 2, since: '2025-08-01T01:00:00', until: null }),
  chainItem({ id: 5, name: 'Cassette', since: '2025-08-01T01:00:00', until: null }),
  chainItem({ id: 6, since: '2025-08-01T01:00:00', until: '2025-08-01T01:00:00' }),
  chainItem({ id: 7, since: '2023-08-01T01:00:00', until: '2024-01-01T01:00:00' }),
]
const ITEMS = [BEFORE, ITEM, AFTER, ...OTHERS]
const AS_IT_IS: WhatIf = { id: 2, dateStarted: '2025-04-11', dateEnded: '2025-08-01', cost: 30 }

const changes = (whatIf: Partial<WhatIf>, items = ITEMS) =>
  affectedBy(items, { ...AS_IT_IS, ...whatIf })?.map(({ item, change }) =>
    change ? `${item.id}: ${change.dateStarted} to ${change.dateEnded}` : `${item.id}: no room`,
  )

Deno.test('neighbors follow the dates of the item', () => {
  const item = '2: 2025-04-11T08:30:00 to 2025-08-01T01:00:00'
  const [before, after] = ['1: 2025-01-01T01:00:00 to 2025-04-11T08:30:00', '3: 2025-08-01T01:00:00 to null']
  assert.deepEqual(changes({}), [item, before, after])
  assert.deepEqual(changes({ cost: 5 }), [item, before, after])
  assert.deepEqual(changes({ dateStarted: '2025-03-01' }), [
    '2: 2025-03-01T01:00:00 to 2025-08-01T01:00:00',
    '1: 2025-01-01T01:00:00 to 2025-03-01T01:00:00',
    after,
  ])
  assert.deepEqual(changes({ dateEnded: '2025-09-01' }), [
    '2: 2025-04-11T08:30:00 to 2025-09-01T01:00:00',
    before,
    '3: 2025-09-01T01:00:00 to null',
  ])
  // If the end is cleared, the next item stays unchanged.
  assert.deepEqual(changes({ dateEnded: null }), ['2: 2025-04-11T08:30:00 to null', before, after])
})

Deno.test('a neighbor that would end before it starts stays unchanged', () => {
  assert.deepEqual(changes({ dateStarted: '2024-12-31' })?.[1], '1: no room')
  assert.deepEqual(
    changes({ dateEnded: '2025-09-01' }, [ITEM, { ...AFTER, until: '2025-09-01T01:00:00' }])?.[1],
    '3: no room',
  )
})

Deno.test('finds neither unknown items nor neighbors of work', () => {
  assert.equal(affectedBy(ITEMS, { ...AS_IT_IS, id: 99 }), null)
  assert.equal(affectedBy(ITEMS, { ...AS_IT_IS, id: 6 })?.length, 1)
})

Deno.test('compares the totals of the parts', () => {
  const affected = affectedBy(ITEMS, { ...AS_IT_IS, cost: 90 })!
  const parts = totalsFor(ITEMS)
  const changed = parts.map((part) =>
    part.part_id === 2 ? { ...part, price: 90, cost: 100, distance: 4_000_000 } : part,
  )
  const [item] = compareUsed(affected, { items: ITEMS, parts }, { items: ITEMS, parts: changed })
  assert.deepEqual([item?.before?.cost, item?.before?.cost_per_km], [30, 0.015])
  assert.deepEqual([item?.after?.cost, item?.after?.cost_per_km], [100, 0.025])
})

Deno.test('work has no totals', () => {
  const work = chainItem({ id: 6, since: '2025-08-01T01:00:00', until: '2025-08-01T01:00:00' })
  const used = { items: [work], parts: totalsFor([work]) }
  const affected = affectedBy([work], { ...AS_IT_IS, id: 6, dateStarted: '2025-08-01' })!
  const [item] = compareUsed(affected, used, used)
  assert.deepEqual([item?.before, item?.after], [null, null])
})
