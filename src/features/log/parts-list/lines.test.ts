import { expect, test } from 'vitest'

import { ITEM } from '../../entries/fake-item.ts'
import { groupsOf, paidIn } from './lines.ts'

const TODAY = '2026-11-26'
const part = { ...ITEM, dateStarted: '2024-03-01T01:00:00' }
const at = (day: string) => ({ dateStarted: `${day}T01:00:00`, dateEnded: `${day}T01:00:00` })
const items = [
  { ...part, id: 1, cost: 100 },
  { ...part, id: 2, dateEnded: '2025-03-01T01:00:00' },
  { ...part, id: 3, dateStarted: '2099-01-01T01:00:00' },
  { ...part, id: 4, name: 'Fit', ...at('2024-05-01') },
  { ...part, id: 5, name: 'Bleed', cost: 40, ...at('2024-06-01') },
]
const service = { id: 1, name: 'Wax', day: '2024-04-01', item_id: 1, paid_item_id: null } as const
const services = [
  service,
  { ...service, id: 2, day: '2024-06-01', paid_item_id: 5 },
  { ...service, id: 3, name: 'Wash', item_id: null },
  // Another bike's log has its cost.
  { ...service, id: 4, name: 'Check', day: '2024-07-01', paid_item_id: 99 },
] as const

const shown = (list: ReturnType<typeof groupsOf>) =>
  list.map(({ heading, lines }) => [
    heading,
    ...lines.map(({ item, done }) => [
      item?.id ?? null,
      ...done.map(({ name, count, last }) => `${name} ${count} ${last}`),
    ]),
  ])

test('lists every entry by phase without services', () => {
  expect(shown(groupsOf(items, null, TODAY))).toEqual([
    ['In use', [1]],
    ['Planned', [3]],
    ['Ended', [2], [4], [5]],
  ])
})

test('lists services with their part or bike, and every cost once', () => {
  const groups = groupsOf(items, services, TODAY)
  expect(shown(groups)).toEqual([
    ['In use', [1, 'Wax 2 2024-06-01', 'Check 1 2024-07-01']],
    ['Planned', [3]],
    ['Service', [null, 'Wash 1 2024-04-01'], [4]],
    ['Ended', [2]],
  ])
  const costs = groups.flatMap(({ lines }) => lines.flatMap(paidIn))
  expect(new Set(costs)).toEqual(new Set(items))
  expect(costs).toHaveLength(items.length)
})
