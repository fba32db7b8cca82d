import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { sentAtom, unreadAtom, type Waiting, waitingAtom } from './waiting.ts'
import { dependsOn, without } from './waiting-rows.ts'

const change = (command: string, input: object, id = -1) => ({ command, input, id, key: `${id}` }) as Waiting
const row = (id: number) => ({ id, part: id })
const edit = (relation: string, row_id: number) => change('edit_row', { relation, row_id, wanted: {} }, -9)

test.each<[string, Waiting, Waiting, boolean]>([
  ['the same row', edit('maintenance', 1), edit('maintenance', 1), true],
  ['another row', edit('maintenance', 1), edit('maintenance', 2), false],
  ['a row of another table', edit('maintenance', 1), edit('wear_measurements', 1), false],
  ['an added row', edit('maintenance', -5), change('add_item', { item: {} }, -5), true],
  [
    'the event of a Done',
    change('correct_event', { event_id: -5, also_done: [] }),
    change('mark_done', { task_id: 1 }, -5),
    true,
  ],
  [
    'a Done and a snooze of the same task',
    change('snooze', { task_id: 1 }),
    change('mark_done', { task_id: 1 }),
    true,
  ],
  [
    'a Done of another task',
    change('mark_done', { task_id: 2 }, -2),
    change('mark_done', { task_id: 1 }),
    false,
  ],
  [
    'two measurements of a part',
    change('add_measurement', { part_id: 1 }, -2),
    change('add_measurement', { part_id: 1 }),
    false,
  ],
  [
    'a measurement of an added part',
    change('add_measurement', { part_id: -5 }),
    change('add_item', { item: {} }, -5),
    true,
  ],
  [
    'the install of a part after it was stored',
    change('change_parts', { take_off: [], put_on: [{ part_of: 7 }] }, -2),
    change('change_parts', { take_off: [{ id: 7 }], put_on: [] }),
    true,
  ],
  [
    'a move of another part',
    change('change_parts', { take_off: [{ id: 8 }], put_on: [{ part_of: 8 }] }, -2),
    change('change_parts', { take_off: [{ id: 7 }], put_on: [{ part_of: 7 }] }),
    false,
  ],
  [
    'a task of the second part that was put on',
    change('add_task', { task: {}, parts: [4, -6] }, -9),
    {
      ...change('change_parts', { take_off: [], put_on: [{}, {}] }, -5),
      rows: [row(-5), row(-6)],
    },
    true,
  ],
  [
    'what was also done of an added task',
    change('mark_done', { task_id: 1, also_done: [-5] }),
    change('add_task', { task: {} }, -5),
    true,
  ],
  [
    'a task with the next of an added one',
    change('add_task', { task: { gear_id: 7, with_task: -5 } }, -6),
    change('add_task', { task: {} }, -5),
    true,
  ],
])('says whether a change depends on an earlier one: %s', (_what, one, earlier, expected) => {
  expect(dependsOn(one, earlier)).toBe(expected)
})

test('data lacks what was sent after its read and what waits, but not what was refused', () => {
  const store = createStore()
  const [sent, waits, refused] = [1, 2, 3].map((task_id) => change('snooze', { task_id }, -task_id))
  store.set(sentAtom, [{ change: sent!, ids: [], order: 10 }])
  const refusal = { code: 'RMT31', message: 'It was changed elsewhere.', stored: null }
  store.set(waitingAtom, [waits!, { ...refused!, refusal }])
  const unread = store.get(unreadAtom)
  expect([unread(9), unread(10)]).toMatchObject([[sent, waits], [waits]])
})

const moved = {
  ...change(
    'change_parts',
    { take_off: [{ id: 7 }, { id: -5 }], put_on: [{ part_of: 7 }, { part_of: -5 }] },
    -8,
  ),
  rows: [row(-8), row(-9)],
} as Waiting

test.each<[string, Waiting, object[]]>([
  ['nothing of an edit', edit('maintenance', -5), []],
  [
    'nothing of a replacement',
    change('change_parts', { take_off: [{ id: -5 }], put_on: [{ replaces: -5 }] }),
    [],
  ],
  ['nothing of its task', change('add_task', { task: { part_id: -5 } }), []],
  [
    'the other part of a move',
    moved,
    [{ input: { take_off: [{ id: 7 }], put_on: [{ part_of: 7 }] }, rows: [row(-8)] }],
  ],
  [
    'the tasks of other parts',
    { ...change('add_task', { task: {}, parts: [-5, 4] }, -8), rows: [row(-8), row(-9)] },
    [{ input: { task: {}, parts: [4] }, rows: [row(-9)] }],
  ],
  [
    'the Done of another task',
    change('mark_done', { task_id: 1, also_done: [-5, 2] }),
    [{ input: { task_id: 1, also_done: [2] } }],
  ],
  [
    'a new entry',
    change('add_item', { item: {}, replaces: [{ id: -5 }] }),
    [{ input: { item: {}, replaces: [] } }],
  ],
  ['another change', edit('maintenance', 5), [edit('maintenance', 5)]],
])('keeps %s when an added row is removed', (_what, one, expected) => {
  expect(without(change('add_item', { item: {} }, -5), one)).toMatchObject(expected)
  expect(without(change('add_item', { item: {} }, -5), one)).toHaveLength(expected.length)
})
