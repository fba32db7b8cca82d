import assert from 'node:assert/strict'
import type { Change, Conflict, Group, Item as StoredItem } from '../contracts/data-api.ts'
import type { WriteName } from '../contracts/run-command.ts'
import type { Formats } from '../formats/formats.ts'
import { KILOMETERS, US } from '../formats/testing.ts'
import { conflictText, editsOf, namesOf, partOf, titleOf } from './change-messages.ts'

type Item = Omit<StoredItem, 'replaces'>

const chain: Item = {
  id: 1,
  bikeId: 7,
  type: null,
  name: 'Chain',
  description: null,
  link: null,
  cost: 45,
  dateStarted: '2024-03-01T01:00:00',
  dateEnded: null,
  part_id: 1,
  ended_as: null,
  position: null,
}
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

const TITLES: [string, Group][] = [
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
  ['Done: Wax and 1 more, 03/02/2024', group([event(null, done), event(null, done)], 'mark_done')],
  ['Wax was removed', group([event(done, null), task(wax, null)])],
  ['Wax was restored', group([task(null, wax), event(null, done)], 'undo')],
  ['Added Chain, 03/01/2024', group([task(null, wax), added(chain)])],
  ['Wax of 03/02/2024 was added', group([event(null, done)])],
  ['Wax of 03/02/2024 was changed', group([event(done, { ...done, note: 'Drip' }), added(chain)])],
  ['Wax of 03/02/2024 and 1 more were added', group([event(null, done), event(null, done)])],
  ['Measurement of 03/02/2024 (under 0.25 chain %) was removed', group([measurement(worn, null)])],
  ['Measurement of 03/02/2024 (under 0.25 chain %) was removed', group([measurement(worn, null)], 'undo')],
  ['A line of To check was dismissed', group([dismissal(null, { key: 'gap' })])],
]
for (const [expected, shown] of TITLES) {
  Deno.test(`the title says ${expected}`, () => {
    assert.equal(title(shown), expected)
  })
}

Deno.test('shows each column before and after an edit, and shortens long text', () => {
  const after = { ...ended, cost: 54.5, description: 'x'.repeat(200) }
  const edit = group([edited(chain, after)])
  assert.equal(
    editsOf(edit, US),
    `Description empty → ${'x'.repeat(80)}…, Cost $45.00 → $54.50, End empty → 05/01/2024, Reason removed empty → worn`,
  )
  assert.equal(editsOf(group([added(chain)]), US), null)
})

Deno.test('names several items and counts the rest', () => {
  const items = [chain, { ...chain, name: 'Tire' }, { ...chain, name: 'Tire' }]
  assert.equal(namesOf(group(items.map(added), 'import_items', 211), US), 'Chain, Tire and 211 more')
  assert.equal(namesOf(group([added(chain)]), US), null)
  assert.equal(namesOf(group([added(successor), edited(chain, ended)], 'change_parts'), US), null)
})

const edits = (change: Change, formats: Formats = US) => editsOf(group([change]), formats)

Deno.test('shows the columns of tasks and earlier usage in the owner’s units', () => {
  const longer = { ...wax, every_distance: 804_500, every_days: 90, part_id: 2 }
  assert.equal(edits(task(wax, longer)), 'Every 300.0 mi → 500.0 mi, Every empty → 90 days')
  assert.equal(edits(task(wax, longer), KILOMETERS), 'Every 482.7 km → 804.5 km, Every empty → 90 days')
  assert.equal(
    edits(changeOf('parts')({ earlier_distance: null }, { earlier_distance: 1609 })),
    'Earlier distance empty → 1.0 mi',
  )
})

Deno.test('names the part of a task, service or measurement', () => {
  for (const change of [task(wax, null), event(done, null), measurement(worn, null)])
    assert.equal(partOf(group([change])), 'Chain')
  assert.equal(partOf(group([added(chain)])), null)
})

Deno.test('names the services and costs that a change is not about', () => {
  assert.equal(namesOf(group([task(wax, null), event(done, null)]), US), 'Wax of 03/02/2024')
  assert.equal(namesOf(group([event(done, null), deleted(chain)]), US), 'Chain')
})

const text = (change: Change, now: Partial<Conflict>) =>
  conflictText({ ...change, row_id: 1, state: 'changed', present: null, added: [], ...now }, US)

Deno.test('shows the old and the current values of a conflict', () => {
  const present = { ...chain, cost: 60, name: 'KMC' }
  assert.equal(
    text(edited({ ...chain, cost: 40 }, chain), { present }),
    'KMC was edited since: Cost $45.00 → $60.00.',
  )
  assert.equal(
    text(added(chain), { present }),
    'KMC was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
  )
  assert.equal(text(edited(chain, ended), { state: 'deleted' }), 'Chain was deleted since. Restore it first.')
  assert.equal(
    text(deleted(chain), { present }),
    'KMC is back, and was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
  )
  const snoozed = { ...wax, snoozed_until: '2024-04-01' }
  assert.equal(
    text(task(wax, snoozed), { present: { ...snoozed, snoozed_until: '2024-05-01' } }),
    'Wax was edited since: Snoozed until 04/01/2024 → 05/01/2024.',
  )
  const later = { item: null, task: wax, relation: 'service_events', row: done } as const
  assert.equal(
    text(added(successor), { state: 'used', present: successor, added: [later] }),
    'Chain has later entries: Wax of 03/02/2024. Undo or remove them first.',
  )
})
