import assert from 'node:assert/strict'
import { is } from 'valibot'
import type { Task } from '../_shared/contracts/service-tasks.ts'
import { callFunction, type SqlAnswers } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './service-due.ts'

const wax: Task = {
  id: 1,
  gear_id: 7,
  item_id: 3,
  name: 'Wax',
  kind: 'service',
  every: { distance: 482_700, moving_time: null, days: null },
  used: { distance: 450_000, moving_time: 60_000, days: 12 },
  fraction: 0.93,
  axis: 'distance',
  state: 'soon',
  snoozed_until: null,
  snoozed_distance: null,
  part_id: 2,
  item_name: 'Chain',
  item_type: 'Drivetrain',
  baseline: '2026-05-01T01:00:00',
  last_done: '2026-05-01T01:00:00',
  newest_event: 9,
  outdoor_only: false,
  earlier_distance: null,
  earlier_moving_time: null,
}

// A bike without rides is resting.
const due = { ...wax, forecast: null, forecast_note: 'resting', is_next_ride: false }

function dueFor(input: { gear_id?: number; explain?: number }, more: SqlAnswers = {}) {
  const isKnown = input.gear_id === undefined || input.gear_id === 7
  return callFunction(contract, respond, input, {
    service_due: () => (isKnown ? { tasks: [wax] } : null),
    ride_days: () => ({ today: '2026-05-13', bikes: [] }),
    ...more,
  })
}

Deno.test('returns the tasks of all bikes or of one', async () => {
  for (const input of [{}, { gear_id: 7 }]) assert.deepEqual(await dueFor(input), { tasks: [due] })
})

Deno.test('sorts tasks by time, not by the share used', async () => {
  const days = (name: string, used: number, every: number, facts: Partial<Task> = {}): Task => ({
    ...wax,
    name,
    every: { distance: null, moving_time: null, days: every },
    used: { ...wax.used, days: used },
    fraction: used / every,
    axis: 'days',
    state: 'ok',
    ...facts,
  })
  const tasks = [
    days('Snoozed', 30, 20, { state: 'snoozed' }),
    days('In 100 days', 900, 1000),
    days('In 5 days', 5, 10),
    { ...wax, name: 'Without a date' },
    days('Due', 30, 30, { state: 'due' }),
    days('Paused', 30, 20, { state: 'paused' }),
    days('Overdue', 13, 12, { state: 'overdue' }),
  ]
  const answer = await dueFor({}, { service_due: () => ({ tasks }) })
  assert.deepEqual(
    answer?.tasks.map(({ name }) => name),
    ['Overdue', 'Due', 'In 5 days', 'In 100 days', 'Without a date', 'Snoozed', 'Paused'],
  )
})

Deno.test('explains a forecast on request', async () => {
  for (const explain of [1, 99]) {
    assert.deepEqual(await dueFor({ explain }), { tasks: [due], explanation: null })
  }
})

Deno.test('rejects an unknown bike', async () => {
  await assert.rejects(dueFor({ gear_id: 8 }), { code: 'unknown_bike' })
})

Deno.test('returns an empty list only to the owner', async () => {
  const none = { service_due: () => ({ tasks: [] }) }
  assert.deepEqual(await dueFor({}, { ...none, is_owner: () => true }), { tasks: [] })
  assert.equal(await dueFor({}, { ...none, is_owner: () => false }), null)
})

for (const input of [
  undefined,
  [],
  { gear_id: '7' },
  { gear_id: 7.5 },
  { gear_id: null },
  { explain: '1' },
  { other: 1 },
  7,
]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
