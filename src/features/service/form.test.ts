import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import { type Formats } from '../../lib/formats.ts'
import { formatInputs, readInputs } from '../../lib/forms.ts'
import type { TaskValues } from './api.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import { checkTask, newTask, taskFields } from './form.ts'

const task = { name: 'Wax', kind: 'service', outdoor_only: true }
const wax = { ...task, name: ' Wax ', every_distance: '300', every_moving_time: '', every_days: '' }

function read(inputs: typeof wax, formats: Formats, before: Partial<TaskValues> = {}) {
  const { values, problems } = readInputs(taskFields(formats), inputs, formats, before)
  return { values, problems: { ...checkTask(values), ...problems } }
}

test('reads limits in the chosen units', () => {
  const form = { ...wax, every_moving_time: '4.5', every_days: '90' }
  const limits = { every_distance: 482_700, every_moving_time: 16_200, every_days: 90 }
  expect(read(form, US)).toEqual({ values: { ...task, ...limits }, problems: {} })
  expect(read(form, KILOMETERS).values.every_distance).toBe(300_000)
})

test('keeps the exact value of a field that was not changed', () => {
  const before = newTask({ ...task, every_distance: 300_000 }) as TaskValues
  const form = formatInputs(taskFields(US), before, US)
  expect(form).toMatchObject({ every_distance: '186.5', outdoor_only: true })
  expect(read({ ...form, name: 'Waxing' }, US, before).values.every_distance).toBe(300_000)
})

test.each<[name: string, changes: Partial<typeof wax>, field: string]>([
  ['no limit at all', { every_distance: '' }, 'every_distance'],
  ['a limit of 0', { every_distance: '0' }, 'every_distance'],
  ['a negative limit', { every_moving_time: '-3' }, 'every_moving_time'],
  ['a limit of 1e9', { every_distance: '1e9' }, 'every_distance'],
  ['text', { every_days: 'often' }, 'every_days'],
  ['an ambiguous comma', { every_moving_time: '0,500' }, 'every_moving_time'],
  ['half a day', { every_days: '1.5' }, 'every_days'],
  ['too many days', { every_days: '4000' }, 'every_days'],
  ['a blank name', { name: '   ' }, 'name'],
])('rejects %s', (_name, changes, field) => {
  expect(Object.keys(read({ ...wax, ...changes }, US).problems)).toEqual([field])
})

test('every common task is valid', () => {
  for (const task of Object.values(COMMON_TASKS).flat()) {
    const values = newTask(task) as TaskValues
    const form = formatInputs(taskFields(KILOMETERS), values, KILOMETERS)
    expect(read(form, KILOMETERS, values)).toEqual({ values, problems: {} })
  }
})
