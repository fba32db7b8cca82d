import { expect, test } from 'vitest'

import { limitName } from '../../../supabase/functions/_shared/messages/wear-limits.ts'
import { US } from '../../lib/fake-formats.ts'
import type { Limit, Line } from './api.ts'
import { dueMessage, limitMessage, noteOf, withLimits } from './limits.ts'

const LIMIT: Limit = {
  part_id: 2,
  gear_id: 7,
  item_id: 3,
  item_name: 'Chain',
  item_type: 'Drivetrain',
  unit: 'chain %',
  tool: '',
  limit: 0.5,
  distance: 1_609_000,
  limit_distance: 2_558_310,
  reached_on: null,
  last_open: null,
  due_since: null,
  fraction: 0.63,
  state: 'ok',
  forecast: null,
  forecast_note: null,
  is_next_ride: false,
}

test.each([
  ['chain %', 'Chain at 0.5%'],
  ['pad mm', 'Pad at 0.5 mm'],
  ['Tread  mm', 'Tread at 0.5 mm'],
  ['play', 'Play at 0.5'],
  ['%', '% at 0.5'],
])('the limit of %s is called %s', (unit, name) => {
  expect(limitName({ unit, limit: 0.5 })).toBe(name)
})

test.each<[string, string, Partial<Limit>]>([
  ['in 590 mi', 'worn in 590 mi', {}],
  ['in 0.1 mi', 'worn in 0.1 mi', { limit_distance: 1_609_001, state: 'soon' }],
  ['likely reached', 'likely worn', { limit_distance: 1_600_000, state: 'due' }],
  ['likely reached 200 mi ago', 'likely worn', { limit_distance: 1_287_200, state: 'overdue' }],
  ['worn since 05/09/2026', 'worn', { reached_on: '2026-05-09', state: 'overdue' }],
])('says %s, and %s below the miles', (text, note, facts) => {
  const limit = { ...LIMIT, ...facts }
  expect(limitMessage(limit, US)).toBe(text)
  expect(dueMessage(limit, US)).toBe(`chain at 0.5% ${text}`)
  expect(noteOf(limit, US)).toBe(note)
})

const line = (id: number, state: 'ok' | 'due' | 'overdue', fraction: number) =>
  ({ task: { id, state, fraction, forecast: null }, others: [] }) as unknown as Line

test('a limit stands among tasks by its urgency, and they stay where they are', () => {
  // The third was just done.
  const lines = [line(1, 'overdue', 2), line(2, 'due', 1), line(3, 'ok', 0), line(4, 'due', 1)]
  const due: Limit = { ...LIMIT, state: 'due', fraction: 1.05 }
  const ids = withLimits(lines, [{ ...due, state: 'overdue', fraction: 1.2 }, due]).map((row) =>
    'task' in row ? row.task.id : row.state,
  )
  expect(ids).toEqual([1, 'overdue', 'due', 2, 3, 4])
})
