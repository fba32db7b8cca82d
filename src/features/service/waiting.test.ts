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
