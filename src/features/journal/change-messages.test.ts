import { describe, expect, test } from 'vitest'

import type { WriteName } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { AppError } from '../../lib/errors.ts'
import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Formats } from '../../lib/formats.ts'
import { ITEM } from '../entries/fake-item.ts'
import type { Item } from '../entries/fields.ts'
import type { Change, Conflict, Group } from './api.ts'
import { conflictText, editsOf, namesOf, partOf, restoreFailure, titleOf } from './change-messages.ts'

const chain: Item = { ...ITEM, description: null, dateStarted: '2024-03-01T01:00:00' }
const NOW = '2026-11-21T12:00:00'
const MOVED = '2024-05-01T01:00:00'
const ended = { ...chain, dateEnded: MOVED, ended_as: 'worn' }
const successor = { ...chain, id: 2, part_id: 2, name: 'Chain', dateStarted: MOVED, replaces: 1 }
const TIRE = { name: 'Tire', type: 'Tires' }
const SADDLE = { name: 'Saddle', type: 'Saddle' }

type Changes = Group['changes']
const changeOf =
  (relation: Change['relation'], task: Change['task'] = null) =>
  (before: Change['before'], after: Change['after']): Change => ({
    relation,
    before,
    after,
    item: chain,
    task,
  })
const edited = changeOf('maintenance')
const added = (item: Item) => edited(null, item)
/** Puts a part on a bike again. */
const put = (bikeId: number, more: Partial<Item> = {}) =>
  added({ ...chain, id: 3, bikeId, dateStarted: MOVED, ...more })
const deleted = (item: Item) => edited(item, null)

const wax = {
  id: 1,
  gear_id: null,
  part_id: 1,
  name: 'Wax',
  every_distance: 482_700,
  every_days: null,
  snoozed_until: null,
}
const task = changeOf('service_tasks', wax)
const done = { id: 1, task_id: 1, done_at: '2024-03-02T01:00:00', note: null }
const event = changeOf('service_events', wax)
const worn = { id: 1, measured_on: '2024-03-02', value: 0.25, reading: 'under', unit: 'chain %', note: null }
const measurement = changeOf('wear_measurements')
const dismissal = changeOf('dismissed_checks')

/** Creates a group. `more` is the number of changes that aren't listed. */
function group(changes: Changes, command: WriteName | null = null, more = 0, moreEdits = 0): Group {
  const count = (match: (change: Changes[number]) => boolean) => changes.filter(match).length
  return {
    id: 'a',
    last_id: 1,
    changed_at: `${NOW}Z`,
    command,
    added: count(({ before }) => !before) + more,
    edited: count(({ before, after }) => Boolean(before && after)) + moreEdits,
    deleted: count(({ after }) => !after),
    is_done: false,
    bikes: [1],
    changes,
  }
}

const title = (shown: Group) => titleOf(shown, US, (id) => `Bike ${id}`)

describe('the title says', () => {
  test.each<[string, Group]>([
    ['Added Chain, 03/01/2024', group([added(chain)])],
    ['Deleted Chain, 03/01/2024', group([deleted(chain)])],
    ['Deleted 2 log entries', group([deleted(chain), deleted(successor)])],
    ['Edited Chain', group([edited(chain, { ...chain, cost: 54 })])],
    ['Imported 1 log entry', group([added(chain)], 'import_items')],
    ['Imported 1,214 log entries', group([added(chain)], 'import_items', 1213)],
    ['Replaced Chain', group([added(successor), edited(chain, ended)], 'change_parts')],
    [
      'Replaced Chain with KMC X11',
      group([added({ ...successor, name: 'KMC X11' }), edited(chain, ended)], 'replace_part'),
    ],
    [
      'Replaced Chain with KMC X11',
      group([added({ ...successor, name: 'KMC X11' }), edited(chain, ended)], 'add_item'),
    ],
    ['Added Chain, 03/01/2024', group([added(chain)], 'add_item')],
    ['Moved Chain to Bike 7', group([put(7), edited(chain, ended)], 'move_part')],
    ['Moved Chain and Tire to Bike 7', group([put(7), put(7, TIRE)], 'change_parts', 0, 2)],
    ['Moved Chain and 2 tires to Bike 7', group([put(7), put(7, TIRE), put(7, TIRE)], 'change_parts', 0, 3)],
    ['Moved Chain and 2 more to Bike 7', group([put(7), put(7, TIRE), put(7, SADDLE)], 'change_parts', 0, 3)],
    [
      'Moved Chain and 5 more to Bike 7',
      group([put(7), put(7, TIRE), put(7, TIRE), put(7, TIRE)], 'change_parts', 2, 6),
    ],
    ['Moved Chain to Bike 7, and Saddle back', group([put(7), put(1, SADDLE)], 'change_parts', 0, 2)],
    ['Installed Chain and Tire on Bike 7', group([put(7), put(7, TIRE)], 'change_parts')],
    ['Stored Chain', group([edited(chain, ended)], 'change_parts')],
    ['Changed the day of Chain to 05/01/2024', group([edited(chain, ended)], 'change_part_day')],
    ['Renamed Chain to KMC', group([edited(chain, { ...chain, name: 'KMC' })], 'rename_items')],
    ['Renamed 2 log entries to KMC', group([edited(chain, { ...chain, name: 'KMC' })], 'rename_items', 0, 1)],
    ['Set up Bike 1', group([added(chain), task(null, wax)], 'set_up_bike')],
    ['Changed 2 log entries', group([edited(ended, chain), deleted(successor)])],
    ['Restored Chain, 03/01/2024', group([added(chain)], 'undo')],
    ['Restored Chain', group([edited(ended, chain)], 'undo')],
    ['Removed Chain, 03/01/2024', group([deleted(chain)], 'undo')],
    ['Restored 2 log entries', group([edited(ended, chain), deleted(successor)], 'undo')],
    ['Edited Chain', group([changeOf('parts')({ earlier_distance: null }, { earlier_distance: 1609 })])],
    ['Wax was added', group([task(null, wax)])],
    ['Wax was changed', group([task(wax, { ...wax, every_days: 30 })])],
    ['Snoozed Wax until 04/01/2024', group([task(wax, { ...wax, snoozed_until: '2024-04-01' })], 'snooze')],
    ['Snoozed Wax until 300.0 mi', group([task(wax, { ...wax, snoozed_distance: 482_700 })], 'snooze')],
    ['Ended the snooze of Wax', group([task({ ...wax, snoozed_until: '2024-04-01' }, wax)], 'snooze')],
    ['Done: Wax, 03/02/2024', group([event(null, done)], 'mark_done')],
    ['Done: Wax, $45.00', group([event(null, { ...done, done_at: NOW }), added(chain)], 'mark_done')],
    ['Wax was removed', group([event(done, null), task(wax, null)])],
    ['Wax was restored', group([task(null, wax), event(null, done)], 'undo')],
    ['Added Chain, 03/01/2024', group([task(null, wax), added(chain)])],
    ['Wax of 03/02/2024 was added', group([event(null, done)])],
    ['Wax of 03/02/2024 was changed', group([event(done, { ...done, note: 'Drip' }), added(chain)])],
    ['Wax of 03/02/2024 and 1 more were added', group([event(null, done), event(null, done)])],
    ['Measurement of 03/02/2024 (under 0.25 chain %) was removed', group([measurement(worn, null)])],
    ['Measurement of 03/02/2024 (under 0.25 chain %) was removed', group([measurement(worn, null)], 'undo')],
    ['A line of To check was dismissed', group([dismissal(null, { key: 'gap' })])],
  ])('%s', (expected, shown) => {
    expect(title(shown)).toBe(expected)
  })
})

test('shows each column before and after an edit, and shortens long text', () => {
  const after = { ...ended, cost: 54.5, description: 'x'.repeat(200) }
  const edit = group([edited(chain, after)])
  expect(editsOf(edit, US)).toBe(
    `Description empty → ${'x'.repeat(80)}…, Cost $45.00 → $54.50, End empty → 05/01/2024, Reason removed empty → worn`,
  )
  expect(editsOf(group([added(chain)]), US)).toBeNull()
})

test('names several items and counts the rest', () => {
  const items = [chain, { ...chain, name: 'Tire' }, { ...chain, name: 'Tire' }]
  expect(namesOf(group(items.map(added), 'import_items', 211), US)).toBe('Chain, Tire and 211 more')
  expect(namesOf(group([added(chain)]), US)).toBeNull()
  expect(namesOf(group([added(successor), edited(chain, ended)], 'change_parts'), US)).toBeNull()
})

const edits = (change: Change, formats: Formats = US) => editsOf(group([change]), formats)

test('shows the columns of tasks and earlier usage in the owner’s units', () => {
  const longer = { ...wax, every_distance: 804_500, every_days: 90, part_id: 2 }
  expect(edits(task(wax, longer))).toBe('Every 300.0 mi → 500.0 mi, Every empty → 90 days')
  expect(edits(task(wax, longer), KILOMETERS)).toBe('Every 482.7 km → 804.5 km, Every empty → 90 days')
  expect(edits(changeOf('parts')({ earlier_distance: null }, { earlier_distance: 1609 }))).toBe(
    'Earlier distance empty → 1.0 mi',
  )
})

test('names the part of a task, service or measurement', () => {
  for (const change of [task(wax, null), event(done, null), measurement(worn, null)])
    expect(partOf(group([change]))).toBe('Chain')
  expect(partOf(group([added(chain)]))).toBeNull()
})

test('names the services and costs that a change is not about', () => {
  expect(namesOf(group([task(wax, null), event(done, null)]), US)).toBe('Wax of 03/02/2024')
  expect(namesOf(group([event(done, null), deleted(chain)]), US)).toBe('Chain')
})

const text = (change: Change, now: Partial<Conflict>) =>
  conflictText({ ...change, row_id: 1, state: 'changed', present: null, added: [], ...now }, US)

test('shows the old and the current values of a conflict', () => {
  const present = { ...chain, cost: 60, name: 'KMC' }
  expect(text(edited({ ...chain, cost: 40 }, chain), { present })).toBe(
    'KMC was edited since: Cost $45.00 → $60.00.',
  )
  expect(text(added(chain), { present })).toBe(
    'KMC was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
  )
  expect(text(edited(chain, ended), { state: 'deleted' })).toBe('Chain was deleted since. Restore it first.')
  expect(text(deleted(chain), { present })).toBe(
    'KMC is back, and was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
  )
  const snoozed = { ...wax, snoozed_until: '2024-04-01' }
  expect(text(task(wax, snoozed), { present: { ...snoozed, snoozed_until: '2024-05-01' } })).toBe(
    'Wax was edited since: Snoozed until 04/01/2024 → 05/01/2024.',
  )
  const later = { item: null, task: wax, relation: 'service_events', row: done } as const
  expect(text(added(successor), { state: 'used', present: successor, added: [later] })).toBe(
    'Chain has later entries: Wax of 03/02/2024. Undo or remove them first.',
  )
})

test.each([
  [
    'RMT10',
    'This part was on Road from 01/01/2024 to 02/01/2024. Choose another day.',
    'This part was on Road from 01/01/2024 to 02/01/2024.',
  ],
  ['RMT30', '', 'It happened more than 30 days ago.'],
  ['23503', '', 'Its bike is no longer in the tracker.'],
  ['network', '', 'The tracker cannot be reached. Check your connection and try again.'],
])('%s has a message', (code, message, shown) => {
  expect(restoreFailure(new AppError(code, message))).toBe(shown)
})
