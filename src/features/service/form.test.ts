import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import { type Formats } from '../../lib/formats.ts'
import { formatInputs, readInputs } from '../../lib/forms.ts'
import type { TaskValues } from './api.ts'
import { COMMON_TASKS, commonTasksOf } from './common-tasks.ts'
import { checkTask, newTask, taskFields } from './form.ts'

const task = { name: 'Wax', kind: 'service', outdoor_only: true }
const TODAY = '2026-11-28'
const NO_MORE = { due_on: '', with_task: 0 }
const wax = {
  ...task,
  ...NO_MORE,
  name: ' Wax ',
  every_distance: '300',
  every_moving_time: '',
  every_days: '',
}

function read(inputs: typeof wax, formats: Formats, before: Partial<TaskValues> = {}) {
  const { values, problems } = readInputs(taskFields(formats, TODAY), inputs, formats, before)
  return { values, problems: { ...checkTask(values), ...problems } }
}

test('reads limits in the chosen units', () => {
  const form = { ...wax, every_moving_time: '4.5', every_days: '90' }
  const limits = {
    every_distance: 482_700,
    every_moving_time: 16_200,
    every_days: 90,
    due_on: null,
    with_task: null,
  }
  expect(read(form, US)).toEqual({ values: { ...task, ...limits }, problems: {} })
  expect(read(form, KILOMETERS).values.every_distance).toBe(300_000)
})

test('keeps the exact value of a field that was not changed', () => {
  const before = newTask({ ...task, every_distance: 300_000 }) as TaskValues
  const form = formatInputs(taskFields(US, TODAY), before, US)
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

test.each<[name: string, changes: Partial<typeof wax>, limits: Partial<TaskValues>]>([
  ['a day', { due_on: '12/01/2026' }, { due_on: '2026-12-01' }],
  ['another task', { with_task: 7 }, { with_task: 7 }],
])('takes %s as the only limit of a task that is done once', (_name, changes, limits) => {
  const { values, problems } = read({ ...wax, every_distance: '', ...changes }, US)
  expect(values).toMatchObject(limits)
  expect(problems).toEqual({})
})

test('rejects a day in the past, unless it was stored', () => {
  expect(read({ ...wax, due_on: '11/27/2026' }, US).problems).toEqual({
    due_on: 'Enter today or a later date.',
  })
  expect(read({ ...wax, due_on: '11/27/2026' }, US, { due_on: '2026-11-27' }).problems).toEqual({})
})

test.for([
  [{ type: null, kind: 'fork' }, 'Lowers service'],
  // What it is counts more than its type.
  [{ type: 'Drivetrain', kind: 'tire' }, 'Top up sealant'],
  [{ type: 'Drivetrain', kind: 'cassette' }, undefined],
  [{ type: 'Tires', kind: null }, 'Top up sealant'],
  [{ type: null, kind: null }, undefined],
  [null, 'Wash bike'],
] as const)('the first common task of %j is %s', ([part, name]) => {
  expect(commonTasksOf(part)[0]?.name).toBe(name)
})

test('every common task is valid', () => {
  for (const task of Object.values(COMMON_TASKS).flat()) {
    const { once: _never, ...values } = newTask(task) as TaskValues
    const form = formatInputs(taskFields(KILOMETERS, TODAY), values, KILOMETERS)
    expect(read(form, KILOMETERS, values)).toEqual({ values, problems: {} })
  }
})
