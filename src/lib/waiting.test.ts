import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { sentAtom, unreadAtom, type Waiting, waitingAtom } from './waiting.ts'
import { dependsOn } from './waiting-rows.ts'

const change = (command: string, input: object, id = -1) => ({ command, input, id, key: `${id}` }) as Waiting
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
])('says whether a change depends on an earlier one: %s', (_what, one, earlier, expected) => {
  expect(dependsOn(one, earlier)).toBe(expected)
})

test('data lacks what was sent after its read and what waits, but not what was refused', () => {
  const store = createStore()
  const [sent, waits, refused] = [1, 2, 3].map((task_id) => change('snooze', { task_id }, -task_id))
  store.set(sentAtom, [{ change: sent!, ids: {}, order: 10 }])
  const refusal = { code: 'RMT31', message: 'It was changed elsewhere.', stored: null }
  store.set(waitingAtom, [waits!, { ...refused!, refusal }])
  const unread = store.get(unreadAtom)
  expect([unread(9), unread(10)]).toEqual([[sent, waits], [waits]])
})
