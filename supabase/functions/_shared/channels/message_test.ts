import assert from 'node:assert/strict'
import { type DueTask, messageOf } from './message.ts'

const WAX: DueTask = {
  id: 1,
  name: 'Wax',
  state: 'due',
  gear_id: 7,
  bike: 'Warbird',
  part_id: 2,
  item_name: 'Chain',
}
const EVENT = { id: 'x', timestamp: '2026-11-23T08:00:00Z' }

Deno.test('a refused sign-in has its own message', () => {
  const { type, title, tasks } = messageOf(null, EVENT)
  assert.deepEqual([type, tasks], ['sign_in.refused', []])
  assert.match(title, /refused the sign-in/)
})

Deno.test('a message lists at most five tasks, each on one short line', () => {
  const wash = { ...WAX, name: 'Wash', part_id: null, item_name: null }
  const two = messageOf([WAX, wash], EVENT)
  assert.deepEqual([two.title, two.body], ['2 tasks due', 'Wax (Chain, Warbird), Wash (Warbird)'])
  const long = { ...WAX, name: '🚲'.repeat(200), item_name: 'a\u0000b\n\tc', bike: null }
  const { title, body } = messageOf(
    Array.from({ length: 7 }, () => long),
    EVENT,
  )
  assert.equal(title, '7 tasks due')
  const each = `${'🚲'.repeat(39)}… (a b c)`
  assert.equal(body, [...Array.from({ length: 5 }, () => each), '2 more'].join(', '))
})
