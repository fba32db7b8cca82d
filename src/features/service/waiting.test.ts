import { expect, test } from 'vitest'

import type { Waiting } from '../../lib/waiting.ts'
import type { Task } from './api.ts'
import { applyToTasks } from './waiting.ts'

const task = (id: number, fraction: number) =>
  ({
    id,
    name: `Task ${id}`,
    fraction,
    state: fraction < 1 ? 'soon' : 'due',
    used: { distance: 100, moving_time: 1, days: 1 },
    every: { distance: 110, moving_time: null, days: 90 },
    baseline: '2026-02-28T01:00:00',
    due_on: null as string | null,
  }) as Task
const TASKS = [task(1, 1.2), task(2, 1), task(3, 0.9)]

const shown = (...changes: [command: string, input: object][]) =>
  applyToTasks(
    TASKS,
    changes.map(([command, input], index) => ({ command, input, id: -index - 1 }) as Waiting),
  ).map(({ id, state, snoozed_until, snoozed_distance, last_done }) => [
    id,
    state,
    snoozed_until ?? snoozed_distance ?? last_done ?? null,
  ])

const day = '2026-03-01'
const rest = [
  [2, 'due', null],
  [3, 'soon', null],
]

test.each([
  ['nothing', [], [[1, 'due', null], ...rest]],
  ['a Done', [['mark_done', { task_id: 1, done_on: day }]], [...rest, [1, 'ok', `${day}T01:00:00`]]],
  [
    'what was also done',
    [['correct_event', { event_id: -1, shown: { done_on: day }, wanted: {}, also_done: [1] }]],
    [...rest, [1, 'ok', `${day}T01:00:00`]],
  ],
  [
    'a measurement that was also a check',
    [['add_measurement', { part_id: 1, measurement: { measured_on: day }, also_done: [1] }]],
    [...rest, [1, 'ok', `${day}T01:00:00`]],
  ],
  ['a snooze until a day', [['snooze', { task_id: 1, until: day }]], [[1, 'snoozed', day], ...rest]],
  ['a snooze by distance', [['snooze', { task_id: 1, distance: 50 }]], [[1, 'snoozed', 150], ...rest]],
  [
    'the end of a snooze',
    [
      ['snooze', { task_id: 1, until: day }],
      ['snooze', { task_id: 1 }],
    ],
    [[1, 'due', null], ...rest],
  ],
] satisfies [string, [string, object][], unknown[]][])(
  'shows tasks as they will be after %s',
  (_what, changes, expected) => {
    expect(shown(...changes)).toEqual(expected)
  },
)

const shownTask = (command: string, input: object) =>
  applyToTasks([TASKS[2]!], [{ command, input, id: -1 } as Waiting])[0]

const edit = (wanted: object) =>
  shownTask('edit_row', { relation: 'service_tasks', row_id: 3, shown: {}, wanted })
const done = (done_on: string) => shownTask('mark_done', { task_id: 3, done_on })

test('an edited limit decides at once how far the task is', () => {
  expect(edit({ name: 'Wax' })).toMatchObject({ name: 'Wax', fraction: 0.9, state: 'soon' })
  expect(edit({ every_distance: 200 })).toMatchObject({
    every: { distance: 200, days: 90 },
    fraction: 0.5,
    axis: 'distance',
    state: 'ok',
    forecast: null,
  })
  expect(edit({ every_distance: 50 })).toMatchObject({ fraction: 2, state: 'overdue' })
  expect(edit({ every_distance: null, every_days: 2 })).toMatchObject({
    axis: 'days',
    fraction: 0.5,
    state: 'ok',
  })
})

test('a Done of a past day counts the days since', () => {
  expect(done('2026-03-01')).toMatchObject({ used: { distance: 0, days: 0 }, fraction: 0, state: 'ok' })
  expect(done('2026-01-17')).toMatchObject({
    used: { distance: 0, days: 43 },
    axis: 'days',
    fraction: 43 / 90,
  })
})
