import assert from 'node:assert/strict'
import { createLostFields } from './lost-fields.ts'
import type { Field } from './rwgps/trip-page.ts'
import { range, row } from './testing.ts'

const known = new Set<Field>(['distance', 'gear_id'])

const lacking = (ids: number[], ...lacks: Field[]) => ids.map((id) => row(id, { lacks }))

function check(...pages: ReturnType<typeof lacking>[]) {
  const fields = createLostFields(known)
  const stored = pages.flatMap((rows) => fields.check(rows).map(({ id }) => id))
  const { lost, held } = fields.end()
  return { stored, held: held.map(({ id }) => id), lost }
}

Deno.test('holds back nothing if every row has the known fields', () => {
  const pages = [lacking([1, 2]), lacking([3], 'avg_hr', 'name')]
  assert.deepEqual(check(...pages), { stored: [1, 2, 3], held: [], lost: undefined })
})

Deno.test('a known field that more than half of the rows lack is lost', () => {
  const half = [...lacking([1, 2], 'gear_id'), ...lacking([3, 4])]
  assert.deepEqual(check(half), { stored: [3, 4], held: [1, 2], lost: undefined })
  const most = [...lacking([1, 2, 3], 'gear_id'), ...lacking([4, 5])]
  assert.deepEqual(check(most), { stored: [], held: [1, 2, 3, 4, 5], lost: 'gear_id' })
})

Deno.test('counts each field, over all pages', () => {
  const mixed = [...lacking([1], 'distance'), ...lacking([2], 'gear_id'), ...lacking([3])]
  assert.equal(check(mixed).lost, undefined)
  assert.equal(check(mixed, lacking([4, 5, 6, 7], 'gear_id', 'distance')).lost, 'distance')
  const bad = lacking(range(1, 4), 'distance')
  assert.deepEqual(check(lacking(range(5, 8)), bad), {
    stored: range(5, 8),
    held: range(1, 4),
    lost: undefined,
  })
  assert.equal(check(lacking(range(5, 7)), bad).lost, 'distance')
})

Deno.test('returns held rows only once', () => {
  const fields = createLostFields(known)
  fields.check(lacking([1], 'distance').concat(lacking([2, 3])))
  assert.equal(fields.end().held.length, 1)
  assert.deepEqual(fields.end().held, [])
})

Deno.test('an empty list loses no field', () => {
  assert.deepEqual(check([]), { stored: [], held: [], lost: undefined })
})
