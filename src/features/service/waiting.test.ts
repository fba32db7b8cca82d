import { expect, test } from 'vitest'

import type { Waiting } from '../../lib/waiting.ts'
import { ITEM } from '../entries/fake-item.ts'
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
    with_task: null as number | null,
  }) as Task
const day = '2026-03-01'
const TASKS = [task(1, 1.2), task(2, 1), task(3, 0.9)]

const shown = (...changes: [command: string, input: object][]) =>
  applyToTasks(
    TASKS,
    changes.map(([command, input], index) => ({ command, input, id: -index - 1 }) as Waiting),
    { today: day },
  ).map(({ id, state, snoozed_until, snoozed_distance, last_done }) => [
    id,
    state,
    snoozed_until ?? snoozed_distance ?? last_done ?? null,
  ])

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
  applyToTasks([TASKS[2]!], [{ command, input, id: -1 } as Waiting], { today: day })[0]

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

const FORK = { ...ITEM, id: 5, part_id: 50, bikeId: 7, name: 'Fork', type: 'Fork' }

const after = (tasks: Task[], ...changes: [command: string, input: object, more?: object][]) =>
  applyToTasks(
    tasks,
    changes.map(([command, input, more], index) =>
      Object.assign({ command, input, id: -index - 1 } as Waiting, more),
    ),
    { today: day },
  )

const NEW = { name: 'Wax', kind: 'service', outdoor_only: false }
const LIMITS = { every_distance: 500, every_moving_time: null, every_days: 30 }
const newTask = (values: object, start: object = {}) =>
  after(
    [],
    [
      'add_task',
      { task: { ...NEW, ...LIMITS, part_id: 50, ...values }, count_from: day, ...start },
      { items: [FORK] },
    ],
  )[0]

test('a new task counts from its day, and says what only the tracker can count', () => {
  const place = { id: -1, gear_id: 7, item_id: 5, part_id: 50, item_name: 'Fork', item_type: 'Fork' }
  expect(newTask({})).toMatchObject({
    ...place,
    state: 'ok',
    left: { distance: 500, moving_time: null, days: 30 },
    isUncounted: false,
    last_done: null,
  })
  expect(newTask({}, { last_done: '2026-02-03' })).toMatchObject({
    state: 'ok',
    left: { days: 4 },
    isUncounted: true,
  })
  expect(newTask({}, { count_from: 'installed' })).toMatchObject({ state: 'ok', isUncounted: true })
  expect(newTask({ every_distance: null }, { last_done: '2026-02-03' })).toMatchObject({ isUncounted: false })
  const once = { once: true, every_distance: null, every_days: null }
  expect(newTask({ ...once, due_on: '2026-03-05' })).toMatchObject({ state: 'ok', left: { days: 4 } })
  expect(newTask({ ...once, due_on: day })).toMatchObject({ state: 'due', axis: 'days', left: { days: 0 } })
  const offBike = after(
    [],
    [
      'add_task',
      { task: { ...NEW, ...LIMITS, part_id: 50 } },
      { items: [{ ...FORK, dateEnded: '2026-01-01T01:00:00' }] },
    ],
  )
  expect(offBike).toMatchObject([{ state: 'paused' }])
})

test('a group waits as one line, and a Done of what waits is shown', () => {
  const rows = [-1, -2].map((id) => ({ id, part: id }))
  const items = [FORK, { ...FORK, id: 6, part_id: 60, bikeId: 8 }]
  const add = [
    'add_task',
    { task: { ...NEW, ...LIMITS }, parts: [50, 60], last_done: '2026-02-01' },
    { items, rows },
  ] as const
  expect(after([], [...add])).toMatchObject([
    { id: -1, group: -1, gear_id: 7 },
    { id: -2, group: -1, gear_id: 8 },
  ])
  expect(after([], [...add], ['mark_done', { task_id: -1, also_done: [-2], done_on: day }])).toMatchObject(
    [-1, -2].map((id) => ({
      id,
      state: 'ok',
      fraction: 0,
      last_done: `${day}T01:00:00`,
      isUncounted: false,
    })),
  )
  const once = ['add_task', { task: { ...NEW, gear_id: 7, once: true, due_on: day } }] as const
  expect(after([], [...once], ['mark_done', { task_id: -1 }])).toEqual([])
})

const editOf = (id: number, wanted: object): [string, object] => [
  'edit_row',
  { relation: 'service_tasks', row_id: id, wanted },
]

test('an edited day or task decides at once, and an edited limit counts the days until today', () => {
  const late = {
    ...task(4, 0.1),
    once: true,
    due_on: '2026-03-09' as const,
    every: { distance: null, moving_time: null, days: null },
  }
  expect(after([late], editOf(4, { due_on: '2026-02-28' }))).toMatchObject([
    { state: 'overdue', axis: 'days', left: { days: -1 } },
  ])
  expect(after([...TASKS, late], editOf(4, { with_task: 2 })).at(-1)).toMatchObject({
    with_task: 2,
    with_task_name: 'Task 2',
  })
  // What was read is a week old.
  const old = { ...TASKS[2]!, baseline: '2026-02-20T01:00:00' }
  expect(after([old], editOf(3, { every_days: 10 }))).toMatchObject([
    { used: { days: 9 }, left: { days: 1 } },
  ])
  expect(after([old], editOf(3, { outdoor_only: true }))).toMatchObject([{ isUncounted: true }])
})

test('tasks go with their part, rest in storage, and begin anew with its successor', () => {
  const own = { ...task(4, 1), item_id: 5, part_id: 50, gear_id: 7, last_done: `${day}T01:00:00` }
  const replaceOnce = { ...own, id: 6, kind: 'replace' as const, once: true }
  const put = (put_on: object[], at = day): [string, object, object] => [
    'change_parts',
    { day: at, take_off: [{ id: 5, ended_as: 'moved' }], put_on },
    { items: [FORK] },
  ]
  expect(after([own], put([]))).toMatchObject([{ id: 4, state: 'paused', item_id: 5 }])
  expect(after([own], put([{ bikeId: 8, part_of: 5 }]))).toMatchObject([
    { id: 4, gear_id: 8, item_id: -1, part_id: 50, used: own.used },
  ])
  expect(
    after([own, replaceOnce], put([{ replaces: 5, name: 'New fork', type: 'Fork' }], '2026-02-20')),
  ).toMatchObject([
    {
      id: 4,
      item_id: -1,
      part_id: -1,
      item_name: 'New fork',
      last_done: null,
      used: { distance: 0, days: 9 },
      isUncounted: true,
    },
  ])
})
