import assert from 'node:assert/strict'
import { formatsFor } from '../formats/formats.ts'
import { DEFAULT_SETTINGS } from '../formats/settings.ts'
import { messageOf } from './message.ts'
import { LIMIT, WORN } from '../testing.ts'
import { WAX } from './testing.ts'

const MILES = formatsFor(DEFAULT_SETTINGS)
const EVENT = { id: 'x', timestamp: '2026-11-23T08:00:00Z' }

Deno.test('a refused sign-in has its own message', () => {
  const { type, title, tasks } = messageOf({ tasks: null, limits: [] }, MILES, EVENT)
  assert.deepEqual([type, tasks], ['sign_in.refused', []])
  assert.match(title, /refused the sign-in/)
})

Deno.test('a message lists at most five tasks, each on one short line', () => {
  const wash = { ...WAX, name: 'Wash', part_id: null, item_name: null, axis: 'days' } as const
  const two = messageOf({ tasks: [WAX, wash], limits: [] }, MILES, EVENT)
  assert.deepEqual(
    [two.title, two.body],
    ['2 tasks due', 'Wax (Chain, Warbird): 310.8 of 300.0 mi, Wash (Warbird): 40 of 60 days'],
  )
  const long = { ...WAX, name: '🚲'.repeat(200), item_name: 'a\u0000b\n\tc', bike: null }
  const { title, body } = messageOf(
    { tasks: Array.from({ length: 7 }, () => long), limits: [] },
    MILES,
    EVENT,
  )
  assert.equal(title, '7 tasks due')
  const each = `${'🚲'.repeat(39)}… (a b c): 310.8 of 300.0 mi`
  assert.equal(body, [...Array.from({ length: 5 }, () => each), '2 more'].join(', '))
})

Deno.test('a message names a group once, with all its parts and bikes', () => {
  const { others: _none, ...tire } = {
    ...WAX,
    item_type: 'Tires',
    group: 1,
    due_on: '2026-05-01',
    axis: 'days',
  } as const
  const others = [
    { ...tire, id: 2 },
    { ...tire, id: 3, bike: 'Domane' },
  ]
  const { title, body } = messageOf({ tasks: [{ ...tire, others }], limits: [] }, MILES, EVENT)
  assert.deepEqual([title, body], ['1 task due', 'Wax (3 tires, Warbird, Domane): by 05/01/2026'])
})

Deno.test('a message names a wear limit, and how it is known', () => {
  const worn = { ...WORN, bike: 'Warbird' }
  const likely = { ...LIMIT, bike: 'Warbird', fraction: 1.2, state: 'overdue' } as const
  const parts = messageOf({ tasks: [], limits: [worn, likely] }, MILES, EVENT)
  assert.deepEqual(
    [parts.type, parts.title, parts.body, parts.limits],
    [
      'service_task.due',
      '2 parts due',
      'Chain at 0.5% (Chain, Warbird): likely from 1,497 mi on, Chain at 0.5% (Chain, Warbird): read on 05/09/2026',
      [likely, worn],
    ],
  )
  const both = messageOf({ tasks: [WAX], limits: [worn] }, MILES, EVENT)
  assert.equal(both.title, '2 due')
  assert.match(both.body, /^Wax .+, Chain at 0\.5% /)
})

Deno.test('a message has the owner’s distances', () => {
  const { body } = messageOf(
    { tasks: [WAX], limits: [] },
    formatsFor({ ...DEFAULT_SETTINGS, distance: 'km' }),
    EVENT,
  )
  assert.equal(body, 'Wax (Chain, Warbird): 500.0 of 482.7 km')
})
