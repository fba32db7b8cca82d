import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import { formOf, readCost, readForm, type TaskForm } from './form.ts'

const task = { name: 'Wax', kind: 'service', outdoor_only: true }
const wax: TaskForm = { ...task, name: ' Wax ', distance: '300', hours: '', days: '' }

test('reads limits in the chosen units', () => {
  const form = { ...wax, hours: '4.5', days: '90' }
  const limits = { every_distance: 482_700, every_moving_time: 16_200, every_days: 90 }
  expect(readForm(form, US)).toEqual({ values: { ...task, ...limits }, problems: {} })
  expect(readForm(form, KILOMETERS).values.every_distance).toBe(300_000)
})

test('keeps the exact value of a field that was not changed', () => {
  const before = { ...task, every_distance: 300_000, every_moving_time: null, every_days: null }
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
  ['an ambiguous comma', { hours: '0,500' }, 'hours'],
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

test('reads a cost with its cents, and null without a cost', () => {
  expect(readCost(' ', US)).toEqual({ value: null })
  expect(readCost('$1,234.50', US)).toEqual({ value: 1234.5 })
  expect(readCost('free', US)).toHaveProperty('message')
})
