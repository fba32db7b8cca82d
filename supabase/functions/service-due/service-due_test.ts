import assert from 'node:assert/strict'
import { is } from 'valibot'
import type { Task } from '../_shared/contracts/service-tasks.ts'
import { addDays } from '../_shared/formats/days.ts'
import { callFunction, LIMIT, type SqlAnswers, TASK, WORN } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './service-due.ts'

// A bike without rides is resting.
const unknown = { forecast: null, forecast_note: 'resting', is_next_ride: false }
const due = { ...TASK, ...unknown }
const limit = { ...LIMIT, ...unknown }

function dueFor(input: { gear_id?: number; explain?: number }, more: SqlAnswers = {}) {
  const isKnown = input.gear_id === undefined || input.gear_id === 7
  return callFunction(contract, respond, input, {
    service_due: () => (isKnown ? { tasks: [TASK], limits: [LIMIT] } : null),
    ride_days: () => ({ today: '2026-05-13', bikes: [] }),
    ...more,
  })
}

Deno.test('returns the tasks of all bikes or of one', async () => {
  for (const input of [{}, { gear_id: 7 }])
    assert.deepEqual(await dueFor(input), { tasks: [due], limits: [limit] })
})

const days = (name: string, used: number, every: number, facts: Partial<Task> = {}): Task => ({
  ...TASK,
  name,
  every: { distance: null, moving_time: null, days: every },
  used: { ...TASK.used, days: used },
  baseline: `${addDays('2026-05-13', -used)}T01:00:00`,
  fraction: used / every,
  axis: 'days',
  state: 'ok',
  ...facts,
})

Deno.test('sorts tasks by time, not by the share used', async () => {
  const tasks = [
    days('Snoozed', 30, 20, { state: 'snoozed' }),
    days('In 100 days', 900, 1000),
    days('In 5 days', 5, 10),
    { ...TASK, name: 'Without a date' },
    days('Due', 30, 30, { state: 'due' }),
    days('Paused', 30, 20, { state: 'paused' }),
    days('Overdue', 13, 12, { state: 'overdue' }),
  ]
  const answer = await dueFor({}, { service_due: () => ({ tasks, limits: [] }) })
  assert.ok(answer && 'tasks' in answer)
  assert.deepEqual(
    answer.tasks.map(({ name }) => name),
    ['Overdue', 'Due', 'In 5 days', 'In 100 days', 'Without a date', 'Snoozed', 'Paused'],
  )
})

/** A bike that is ridden 10 km a day, for a year and a half. */
const ridden = () => {
  const ago = Array.from({ length: 540 }, (_, day) => day)
  const bike = { gear_id: 7, is_stationary: false, ago, distance: ago.map(() => 10_000) }
  return { today: '2026-05-13', bikes: [{ ...bike, moving_time: ago.map(() => 1800) }] }
}

Deno.test('a limit has the day on which it is likely reached, and is soon two weeks before', async () => {
  const limits = [
    { ...LIMIT, limit_distance: 12_000_000, state: 'ok' },
    { ...LIMIT, limit_distance: 2_500_000, state: 'ok' },
    LIMIT,
    { ...LIMIT, limit_distance: 2_430_000, state: 'ok' },
    { ...LIMIT, limit_distance: 2_310_000 },
    WORN,
  ]
  const answer = await dueFor({}, { service_due: () => ({ tasks: [], limits }), ride_days: ridden })
  assert.ok(answer && 'tasks' in answer)
  assert.deepEqual(
    answer.limits.map(({ state, forecast, forecast_note, is_next_ride }) => [
      state,
      forecast?.likely ?? forecast_note,
      is_next_ride,
    ]),
    [
      ['due', null, false],
      ['soon', '2026-05-14', true],
      ['soon', '2026-05-24', false],
      ['soon', '2026-05-26', false],
      ['ok', '2026-06-02', false],
      ['ok', 'over_a_year', false],
    ],
  )
  assert.deepEqual(answer.limits[1]?.forecast, { early: null, likely: '2026-05-14', late: null })
})

Deno.test('explains a forecast on request', async () => {
  for (const explain of [1, 99]) {
    assert.deepEqual(await dueFor({ explain }), { tasks: [due], limits: [limit], explanation: null })
  }
})

Deno.test('previews a task that isn’t saved', async () => {
  const preview = { task: { gear_id: 7, name: 'Wash', every_days: 9 } }
  const task = days('Wash', 0, 9)
  const answer = await callFunction(
    contract,
    respond,
    { preview },
    {
      run_command: (call) => {
        assert.deepEqual(call, { command: 'preview_task', arguments: preview })
        return { answer: { task } }
      },
      ride_days: () => ({ today: '2026-05-13', bikes: [] }),
    },
  )
  const likely = '2026-05-22'
  assert.ok(answer && 'preview' in answer)
  assert.deepEqual(answer.preview.forecast, { early: likely, likely, late: likely })
})

Deno.test('rejects an unknown bike', async () => {
  await assert.rejects(dueFor({ gear_id: 8 }), { code: 'unknown_bike' })
})

Deno.test('returns an empty list only to the owner', async () => {
  const none = { service_due: () => ({ tasks: [], limits: [] }) }
  assert.deepEqual(await dueFor({}, { ...none, is_owner: () => true }), { tasks: [], limits: [] })
  assert.equal(await dueFor({}, { ...none, is_owner: () => false }), null)
})

const OTHER = [undefined, [], 7, { explain: '1' }, { other: 1 }]
for (const input of [...OTHER, ...['7', 7.5, null].map((gear_id) => ({ gear_id }))]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
