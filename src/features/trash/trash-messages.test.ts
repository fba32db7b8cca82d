import { describe, expect, test } from 'vitest'

import { AppError } from '../../lib/errors.ts'
import type { Item } from '../items/fields.ts'
import type { Group } from './api.ts'
import { conflictText, editsOf, namesOf, restoreFailure, titleOf } from './trash-messages.ts'

const chain: Item = {
  id: 1,
  bikeId: 1,
  part_id: 1,
  type: 'Drivetrain',
  name: 'Chain',
  description: null,
  cost: 45,
  dateStarted: '2024-03-01T01:00:00',
  dateEnded: null,
  ended_as: null,
}
const MOVED = '2024-05-01T01:00:00'
const ended = { ...chain, dateEnded: MOVED, ended_as: 'worn' }
const successor = { ...chain, id: 2, part_id: 2, name: 'Chain', dateStarted: MOVED }

type Changes = Group['changes']
const added = (item: Item) => ({ before: null, after: item })
const deleted = (item: Item) => ({ before: item, after: null })
const edited = (before: Item, after: Item) => ({ before, after })

/** Creates a group. `more` is the number of changes that aren't listed. */
function group(changes: Changes, source: Group['source'] = 'edit', more = 0): Group {
  const count = (match: (change: Changes[number]) => boolean) => changes.filter(match).length
  return {
    id: 'a',
    last_id: 1,
    changed_at: '2026-11-21T10:00:00Z',
    source,
    added: count(({ before }) => !before) + more,
    edited: count(({ before, after }) => Boolean(before && after)),
    deleted: count(({ after }) => !after),
    is_done: false,
    bikes: [1],
    changes,
  }
}

const title = (shown: Group) => titleOf(shown, (id) => `Bike ${id}`)

describe('the title says', () => {
  test.each<[string, Group]>([
    ['Added Chain, 03/01/2024', group([added(chain)])],
    ['Deleted Chain, 03/01/2024', group([deleted(chain)])],
    ['Deleted 2 log entries', group([deleted(chain), deleted(successor)])],
    ['Edited Chain', group([edited(chain, { ...chain, cost: 54 })])],
    ['Imported 1 log entry', group([added(chain)], 'import')],
    ['Imported 1,214 log entries', group([added(chain)], 'import', 1213)],
    ['Replaced Chain', group([added(successor), edited(chain, ended)])],
    ['Replaced Chain with KMC X11', group([added({ ...successor, name: 'KMC X11' }), edited(chain, ended)])],
    ['Moved Chain to Bike 7', group([added({ ...successor, part_id: 1, bikeId: 7 }), edited(chain, ended)])],
    [
      'Moved Chain and 1 more to Bike 7',
      group([added({ ...successor, part_id: 1, bikeId: 7 }), edited(chain, ended)], 'edit', 1),
    ],
    ['Changed 2 log entries', group([edited(ended, chain), deleted(successor)])],
    ['Restored Chain, 03/01/2024', group([added(chain)], 'restore')],
    ['Restored Chain', group([edited(ended, chain)], 'restore')],
    ['Removed Chain, 03/01/2024', group([deleted(chain)], 'restore')],
    ['Restored 2 log entries', group([edited(ended, chain), deleted(successor)], 'restore')],
  ])('%s', (expected, shown) => {
    expect(title(shown)).toBe(expected)
  })
})

test('shows each column before and after an edit, and shortens long text', () => {
  const after = { ...ended, cost: 54.5, description: 'x'.repeat(200) }
  const edit = group([edited(chain, after)])
  expect(editsOf(edit)).toBe(
    `Description empty → ${'x'.repeat(80)}…, Cost $45.00 → $54.50, End empty → 05/01/2024, Ended as empty → worn`,
  )
  expect(editsOf(group([added(chain)]))).toBeNull()
})

test('names several items and counts the rest', () => {
  const items = [chain, { ...chain, name: 'Tire' }, { ...chain, name: 'Tire' }]
  expect(namesOf(group(items.map(added), 'import', 211))).toBe('Chain, Tire and 211 more')
  expect(namesOf(group([added(chain)]))).toBeNull()
  expect(namesOf(group([added(successor), edited(chain, ended)]))).toBeNull()
})

test('shows the old and the current values of a conflict', () => {
  const present = { ...chain, cost: 60, name: 'KMC' }
  expect(conflictText({ before: { ...chain, cost: 40 }, after: chain, present })).toBe(
    'KMC was edited since: Cost $45.00 → $60.00.',
  )
  expect(conflictText({ before: null, after: chain, present })).toBe(
    'KMC was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
  )
  expect(conflictText({ before: chain, after: ended, present: null })).toBe(
    'Chain was deleted since. Restore it first.',
  )
  expect(conflictText({ before: chain, after: null, present })).toBe(
    'KMC is in the log again, and was edited since: Name Chain → KMC, Cost $45.00 → $60.00.',
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
