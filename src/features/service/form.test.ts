import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import { formOf, readCost, readForm, type TaskForm } from './form.ts'

const wax: TaskForm = {
  name: ' Wax ',
  kind: 'service',
  outdoor_only: false,
  distance: '300',
  hours: '',
  days: '',
}

test('reads limits in the chosen units', () => {
  const form = { ...wax, outdoor_only: true, hours: '4.5', days: '90' }
  const limits = {
    name: 'Wax',
    kind: 'service',
    outdoor_only: true,
    every_moving_time: 16_200,
    every_days: 90,
  }
  expect(readForm(form, US)).toEqual({
    values: { ...limits, every_distance: 482_700 },
    problems: {},
  })
  expect(readForm(form, KILOMETERS).values.every_distance).toBe(300_000)
})

test('keeps the exact value of a field that was not changed', () => {
  const before = {
    name: 'Wax',
    kind: 'service',
    outdoor_only: true,
    every_distance: 300_000,
    every_moving_time: null,
    every_days: null,
  }
  const form = formOf(before, US)
  expect(form.distance).toBe('186.5')
  expect(form.outdoor_only).toBe(true)
  expect(readForm({ ...form, name: 'Waxing' }, US, before).values.every_distance).toBe(300_000)
})

test.each<[name: string, changes: Partial<TaskForm>, field: string]>([
  ['no limit at all', { distance: '' }, 'distance'],
  ['a limit of 0', { distance: '0' }, 'distance'],
  ['a negative limit', { hours: '-3' }, 'hours'],
  ['a limit of 1e9', { distance: '1e9' }, 'distance'],
  ['text', { days: 'often' }, 'days'],
  ['a decimal comma', { hours: '1,5' }, 'hours'],
  ['half a day', { days: '1.5' }, 'days'],
  ['too many days', { days: '4000' }, 'days'],
  ['a blank name', { name: '   ' }, 'name'],
])('rejects %s', (_name, changes, field) => {
  expect(Object.keys(readForm({ ...wax, ...changes }, US).problems)).toEqual([field])
})

test('every common task is valid', () => {
  for (const task of Object.values(COMMON_TASKS).flat()) {
    const { values, problems } = readForm(formOf(task, KILOMETERS), KILOMETERS, task)
    expect(problems).toEqual({})
    expect(values).toMatchObject(task)
  }
})

test.each([
  ['', null],
  ['  ', null],
  ['45', 45],
  ['$1,234.50', 1234.5],
  ['-5', -5],
  ['0', 0],
])('reads the cost %j as %j', (text, cost) => {
  expect(readCost(text, US)).toEqual({ value: cost })
})

test.each(['1,5', '1.234,50', '12 50', '1e3', '0x10', '$', 'free', '9999999999'])(
  'rejects the cost %j',
  (text) => {
    expect(readCost(text, US)).toHaveProperty('message')
  },
)
