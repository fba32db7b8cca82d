import { expect, test } from 'vitest'

import { AXIS_KEYS, byAxis } from '../../../supabase/functions/_shared/axes.ts'
import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Task } from './api.ts'
import { eventMessage, formatLimits, medianMessages, stateMessage, taskMessage } from './task-messages.ts'

const MILE = 1609

function task(changes: Partial<Task>): Task {
  const facts = {
    name: 'Wax',
    every: { distance: 300 * MILE, moving_time: null, days: null },
    used: { distance: 239 * MILE, moving_time: 0, days: 0 },
    outdoor_only: false,
    axis: 'distance',
    state: 'ok',
    snoozed_until: null,
    snoozed_distance: null,
    ...changes,
  } as Task
  const fractions = AXIS_KEYS.map((axis) => facts.used[axis] / (facts.every[axis] ?? Infinity))
  const left = byAxis((axis) => (facts.every[axis] === null ? null : facts.every[axis] - facts.used[axis]))
  return { ...facts, left: changes.left ?? left, fraction: Math.max(...fractions) }
}

const none = { distance: null, moving_time: null, days: null }
const unused = { distance: 0, moving_time: 0, days: 0 }
const inMiles = (changes: Partial<Task>) => taskMessage(task(changes), US)
const overDays = (name: string, days: number, state: Task['state'] = 'ok'): Partial<Task> => ({
  name,
  every: { ...none, days: 90 },
  used: { ...unused, days },
  axis: 'days',
  state,
})

test.each<[message: string, changes: Partial<Task>]>([
  ['wax in 61 mi', {}],
  ['wax in 4.5 mi', { used: { ...unused, distance: 295.5 * MILE }, state: 'soon' }],
  ['wax in 0.1 mi', { used: { ...unused, distance: 300 * MILE - 1 }, state: 'soon' }],
  ['wax due', { used: { ...unused, distance: 301 * MILE }, state: 'due' }],
  ['wax overdue by 120 mi', { used: { ...unused, distance: 420 * MILE }, state: 'overdue' }],
  [
    'lowers service in 4.5 h',
    {
      name: 'Lowers service',
      every: { ...none, moving_time: 180_000 },
      used: { ...unused, moving_time: 163_800 },
      axis: 'moving_time',
    },
  ],
  ['sealant in 12 days', overDays('Sealant', 78)],
  ['sealant in 1 day', overDays('Sealant', 89)],
  ['sealant due today', overDays('Sealant', 90, 'due')],
  ['DT hub overdue by 2 days', overDays('DT hub', 92, 'overdue')],
  // Names the limit that makes the task overdue, even if a larger share of another limit is used up.
  [
    'wax overdue by 1 day',
    {
      every: { ...none, distance: 300 * MILE, days: 90 },
      used: { ...unused, distance: 315 * MILE, days: 91 },
      state: 'overdue',
    },
  ],
  [
    'wax overdue by 31 mi',
    {
      every: { ...none, distance: 300 * MILE, moving_time: 36_000 },
      used: { ...unused, distance: 331 * MILE, moving_time: 39_500 },
      state: 'overdue',
    },
  ],
  ['wax snoozed until 12/05/2026', { state: 'snoozed', snoozed_until: '2026-12-05' }],
  ['wax snoozed for 40 mi', { state: 'snoozed', snoozed_distance: 279 * MILE }],
  ['wax paused, not installed', { state: 'paused' }],
  ['wax paused, bike is retired', { state: 'paused', is_retired: true }],
  ['wax in 61 outdoor mi', { outdoor_only: true }],
  ['wax snoozed for 40 outdoor mi', { outdoor_only: true, state: 'snoozed', snoozed_distance: 279 * MILE }],
])('says "%s"', (message, changes) => {
  expect(inMiles(changes)).toBe(message)
})

test('uses kilometers where chosen', () => {
  const every = { ...none, distance: 500_000 }
  const message = stateMessage(task({ every, used: { ...unused, distance: 402_000 } }), KILOMETERS)
  expect(message).toBe('in 98 km')
})

test('says until when a task is done once, or with what', () => {
  const once = { ...none, name: 'Bolt', once: true, every: none }
  expect(inMiles({ ...once, axis: 'days', left: { ...none, days: 12 } })).toBe('bolt in 12 days')
  expect(inMiles({ ...once, axis: 'days', left: { ...none, days: -3 }, state: 'overdue' })).toBe(
    'bolt overdue by 3 days',
  )
  expect(inMiles({ ...once, axis: 'days', with_task_name: 'Wax', left: none })).toBe('bolt with Wax')
  const all = {
    once: true,
    due_on: '2026-11-30',
    with_task: 3,
    with_task_name: 'Wax',
    outdoor_only: false,
  } as const
  expect(formatLimits({ ...all, every: { ...none, distance: 300 * MILE } }, US)).toBe(
    'once, after 300 mi or on 11/30/2026 or with Wax',
  )
})

test('lists the limits of a task', () => {
  const every = { distance: 2500 * MILE, moving_time: 16_200, days: 365 }
  expect(formatLimits({ every, outdoor_only: false }, US)).toBe('every 2,500 mi or 4.5 h or 365 days')
  expect(formatLimits({ every, outdoor_only: true }, US)).toBe(
    'every 2,500 outdoor mi or 4.5 outdoor h or 365 days',
  )
})

test.each([
  ['2026-11-22T12:00:00', 8, 'drained', '$8.00 · drained'],
  ['2026-11-23T12:00:00', null, null, ''],
  ['2026-11-24T12:00:00', null, 'drained', 'in the future, doesn’t count yet · drained'],
])('an event of %s that cost %j with the note %j says %j', (done_at, cost, note, message) => {
  expect(eventMessage({ done_at, cost, note, since_last: null }, '2026-11-22', US)).toBe(message)
})

const INTERVAL = { distance: 301.6 * MILE, moving_time: 19.4 * 3600, days: 1 }
test('an event says what was ridden since the last one', () => {
  const event = { done_at: '2026-11-20T01:00:00', cost: null, note: 'Drip', since_last: INTERVAL }
  expect(eventMessage(event, '2026-11-22', US)).toBe('after 302 mi, 19 h, 1 day · Drip')
})

test('the history says how far apart each task’s services typically are', () => {
  const event = { done_at: '2026-11-20T01:00:00', cost: null, note: null, maintenance_id: null, distance: 0 }
  const more = { earlier_distance: null, since_last: INTERVAL, together: 1 }
  const events = [
    { ...event, ...more, id: 3, task_id: 1, name: 'Wax', median: INTERVAL },
    { ...event, ...more, id: 2, task_id: 2, name: 'Wipe', median: null },
    { ...event, ...more, id: 1, task_id: 1, name: 'Wax', median: INTERVAL },
  ]
  expect(medianMessages(events, US)).toEqual(['Wax: typically 302 mi, 19 h, 1 day apart'])
})
