// oxlint-disable no-restricted-imports -- compares what is declared with the contracts
import { expect, test } from 'vitest'
import * as v from 'valibot'

import { Id } from '../../supabase/functions/_shared/contracts/fields.ts'
import { WRITES, type WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { IDS, idsIn } from './command-ids.ts'
import { withRealIds } from './waiting.ts'

/** The IDs of bikes, which only a sync adds. */
const OF_BIKES = new Set(['gear_id', 'bikeId', 'attach_log.from', 'attach_log.to'])

/** Lists the paths of a schema's IDs, such as `take_off.id`. */
function idsOf(schema: v.GenericSchema, path: string[] = []): string[] {
  if (schema === (Id as v.GenericSchema)) return [path.join('.')]
  const { entries, wrapped, item } = schema as {
    entries?: Record<string, v.GenericSchema>
    wrapped?: v.GenericSchema
    item?: v.GenericSchema
  }
  if (entries) return Object.entries(entries).flatMap(([name, one]) => idsOf(one, [...path, name]))
  const inner = wrapped ?? item
  return inner ? idsOf(inner, path) : []
}

/** Lists the paths that are declared. */
function declared(ids: unknown, path: string[] = []): string[] {
  if (typeof ids === 'string') return [path.join('.')]
  if (Array.isArray(ids)) return declared(ids[0], path)
  return Object.entries(ids as object).flatMap(([name, one]) => declared(one, [...path, name]))
}

test.each(Object.keys(WRITES) as WriteName[])('each ID of %s is declared', (command) => {
  const found = idsOf(WRITES[command].Input).filter(
    (path) => !OF_BIKES.has(path) && !OF_BIKES.has(`${command}.${path}`),
  )
  expect(declared(IDS[command])).toEqual(expect.arrayContaining(found))
})

const SAVED = new Map([
  [-1, { item: 11, part: 101 }],
  [-2, { item: 12, part: 102 }],
  [-3, { row: 13 }],
])

test.each<[WriteName, object, object]>([
  ['add_item', { replaces: [{ id: -1 }, { id: 7 }] }, { replaces: [{ id: 11 }, { id: 7 }] }],
  ['edit_row', { relation: 'maintenance', row_id: -1 }, { relation: 'maintenance', row_id: 11 }],
  ['edit_row', { relation: 'parts', row_id: -1 }, { relation: 'parts', row_id: 101 }],
  [
    'edit_row',
    { relation: 'service_tasks', row_id: 7, shown: { with_task: null }, wanted: { with_task: -3 } },
    { relation: 'service_tasks', row_id: 7, shown: { with_task: null }, wanted: { with_task: 13 } },
  ],
  [
    'change_parts',
    { take_off: [{ id: -1 }], put_on: [{ part_of: -1 }, { replaces: -2, name: 'Chain' }] },
    { take_off: [{ id: 11 }], put_on: [{ part_of: 11 }, { replaces: 12, name: 'Chain' }] },
  ],
  ['add_task', { task: { part_id: -1, with_task: -3 } }, { task: { part_id: 101, with_task: 13 } }],
  ['add_task', { task: {}, parts: [-1, 7, -2] }, { task: {}, parts: [101, 7, 102] }],
  ['mark_done', { task_id: -3, also_done: [-3, 7] }, { task_id: 13, also_done: [13, 7] }],
  ['snooze', { task_id: -3, also: [-3] }, { task_id: 13, also: [13] }],
  ['correct_event', { event_id: -3, also_done: [-3] }, { event_id: 13, also_done: [13] }],
  ['add_measurement', { part_id: -2, also_done: [-3] }, { part_id: 102, also_done: [13] }],
  ['add_file', { item_id: -2, part_id: -2 }, { item_id: 12, part_id: 102 }],
  ['name_kinds', { parts: [{ id: -1, kind: null }] }, { parts: [{ id: 101, kind: null }] }],
])('%s gets the IDs of rows that were saved since', (command, input, expected) => {
  expect(withRealIds({ command, input }, SAVED)).toEqual(expected)
  expect(idsIn({ command, input }).length).toBeGreaterThan(0)
})
