import { expect, test } from 'vitest'

import type { SavedIds, Waiting } from '../../lib/waiting.ts'
import { ITEM } from './fake-item.ts'
import { type Item, knownAs } from './fields.ts'
import type { PartDetails } from './usage-api.ts'
import { applyToLog, applyToPart } from './waiting.ts'

const changesOf = (...changes: [command: string, input: object][]) =>
  changes.map(([command, input], index) => ({ command, input, id: -index - 1 }) as Waiting)

const NOTHING_SAVED = { saved: new Map<number, SavedIds>() }

test('shows added entries with later edits, each on its own bike', () => {
  const items = [{ ...ITEM, id: 7, bikeId: 1, cost: 5, dateEnded: null }]
  const changes = changesOf(
    ['add_item', { item: { bikeId: 1, name: 'Bell', dateStarted: '2026-03-01T01:00:00' } }],
    ['add_item', { item: { bikeId: 2, name: 'Lamp', dateStarted: '2026-03-01T01:00:00' } }],
    ['edit_row', { relation: 'maintenance', row_id: -1, wanted: { cost: 9 } }],
    ['edit_row', { relation: 'maintenance', row_id: 7, wanted: { name: 'Belt' } }],
    ['edit_row', { relation: 'wear_measurements', row_id: 7, wanted: { name: 'Not this' } }],
  )
  const shown = applyToLog(1)(items, changes, NOTHING_SAVED).map(({ id, name, cost, dateEnded }) => [
    id,
    name,
    cost,
    dateEnded,
  ])
  expect(shown).toEqual([
    [7, 'Belt', 5, null],
    [-1, 'Bell', 9, null],
  ])
  expect(applyToLog()(items, changes, NOTHING_SAVED).map(({ name }) => name)).toEqual([
    'Belt',
    'Bell',
    'Lamp',
  ])
})

test('counts files that wait with those that are stored', () => {
  const items = [{ ...ITEM, id: 7, file_count: 2 }]
  const changes = changesOf(['add_file', { item_id: 7 }], ['add_file', { item_id: 8 }])
  expect(applyToLog()(items, changes, NOTHING_SAVED)).toMatchObject([{ file_count: 3 }])
})

test('shows a saved entry once, in the log’s order, under the ID that stood for it', () => {
  const later = { ...ITEM, id: 7, bikeId: 1, dateStarted: '2026-05-01T01:00:00' }
  const [added] = changesOf([
    'add_item',
    { item: { bikeId: 1, name: 'Bell', dateStarted: '2026-03-01 01:00:00' } },
  ])
  const sent = { ...added!, id: 9, rows: [{ id: 9, part: 5 }] }
  const saved = new Map([[-1, { item: 9, part: 5 }]])
  const shown = (items: Item[], changes: Waiting[]) =>
    applyToLog(1)(items, changes, { saved }).map((item) => [item.id, item.part_id, item.name, knownAs(item)])
  const expected = [
    [9, 5, 'Bell', -1],
    [7, later.part_id, ITEM.name, 7],
  ]
  expect(shown([later], [sent])).toEqual(expected)
  const stored = { ...later, id: 9, part_id: 5, name: 'Bell', dateStarted: '2026-03-01T01:00:00' }
  expect(shown([stored, later], [sent])).toEqual(expected)
  expect(shown([stored, later], [])).toEqual(expected)
})

test('shows measurements that wait with others in their unit, or by themselves', () => {
  const known = { id: 3, measured_on: '2026-01-01', value: 0.3, unit: 'chain %', tool: '' }
  const part = {
    part_id: 1,
    periods: [],
    wear: { distance: 500, series: [{ unit: 'chain %', tool: '', limit: 0.5, measurements: [known] }] },
  } as unknown as PartDetails
  const { series } = applyToPart(
    part,
    changesOf(
      [
        'add_measurement',
        { part_id: 1, measurement: { measured_on: '2026-03-01', value: 0.4, unit: 'chain %' } },
      ],
      ['add_measurement', { part_id: 1, measurement: { measured_on: '2026-03-01', value: 2, unit: 'mm' } }],
      ['add_measurement', { part_id: 2, measurement: { measured_on: '2026-03-01', value: 9, unit: 'mm' } }],
      [
        'add_measurement',
        { part_id: 1, measurement: { measured_on: '2025-12-01', value: 0.2, unit: 'chain %' } },
      ],
      ['edit_row', { relation: 'wear_measurements', row_id: 3, wanted: { value: 0.35 } }],
    ),
  ).wear
  expect(
    series.map(({ unit, measurements }) => [
      unit,
      measurements.map(({ value, distance }) => [value, distance]),
    ]),
  ).toEqual([
    [
      'chain %',
      [
        [0.2, 500],
        [0.35, undefined],
        [0.4, 500],
      ],
    ],
    ['mm', [[2, 500]]],
  ])
  expect(part.wear.series[0]!.measurements).toHaveLength(1)
})

const part = (change: object, id: number) =>
  ({ command: 'change_parts', id, ...change }) as unknown as Waiting
const WHEEL = { ...ITEM, id: 7, part_id: 70, bikeId: 1, name: 'Wheel', cost: 90, position: 'rear' as const }
const MOVED = part(
  {
    input: {
      day: '2026-03-01',
      take_off: [{ id: 7, ended_as: 'moved' }],
      put_on: [{ bikeId: 2, part_of: 7 }],
    },
    items: [WHEEL],
  },
  -1,
)

test('a moved part ends on one bike and begins on the other, whose log doesn’t know it', () => {
  const moment = '2026-03-01T01:00:00'
  expect(applyToLog(1)([WHEEL], [MOVED], NOTHING_SAVED)).toMatchObject([
    { id: 7, dateEnded: moment, ended_as: 'moved' },
  ])
  const begun = {
    id: -1,
    part_id: 70,
    bikeId: 2,
    name: 'Wheel',
    position: 'rear',
    cost: 0,
    dateStarted: moment,
  }
  expect(applyToLog(2)([], [MOVED], NOTHING_SAVED)).toMatchObject([{ ...begun, dateEnded: null }])
  // Once it is saved, under its own ID.
  const sent = { ...MOVED, id: 20, rows: [{ id: 20, part: 70 }] }
  const saved = new Map([[-1, { item: 20, part: 70 }]])
  expect(applyToLog(2)([], [sent], { saved })).toMatchObject([{ ...begun, id: 20, waitingId: -1 }])
})

test('a day’s second change is after its first', () => {
  const later = { ...WHEEL, dateStarted: '2026-03-01T09:30:00' }
  const moved = { ...MOVED, items: [later] }
  expect(applyToLog(2)([], [moved], NOTHING_SAVED)).toMatchObject([{ dateStarted: '2026-03-01T09:30:00' }])
})

test('a part’s history has the period that waits, uncounted', () => {
  const periods = [{ id: 7, gear_id: 1, dateEnded: null, distance: 500 }]
  const details = { part_id: 70, periods, wear: { distance: 500, series: [] } } as unknown as PartDetails
  expect(applyToPart(details, [MOVED]).periods).toMatchObject([
    { id: 7, dateEnded: '2026-03-01T01:00:00', ended_as: 'moved', distance: 500 },
    { id: -1, gear_id: 2, dateEnded: null, isUncounted: true },
  ])
})
