import { expect, test } from 'vitest'

import { US } from '../../lib/fake-formats.ts'
import type { Group, Lifetime } from './api.ts'
import { lifetimesToCsv } from './csv.ts'

function lifetime(facts: Partial<Lifetime> = {}): Lifetime {
  return {
    part_id: 1,
    item_id: 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    kind: 'chain',
    position: null,
    by_position: null,
    rides: 9,
    distance: 3_218_000,
    moving_time: 360_000,
    earlier_distance: null,
    earlier_moving_time: null,
    days: 90,
    price: 40,
    cost: 40,
    ended_as: 'worn',
    running: false,
    finished: true,
    started: '2025-01-01T01:00:00',
    ended: '2025-04-01T01:00:00',
    item_ids: [1],
    gear_ids: [1],
    cost_per_km: 40 / 3218,
    cost_per_hour: 0.4,
    ...facts,
  }
}
const running = lifetime({ running: true, finished: false, ended_as: null, ended: null })
const unused = lifetime({ distance: 0, moving_time: 0, rides: 0, cost_per_km: null, cost_per_hour: null })

test('writes a CSV row per lifetime and no NaN', () => {
  const csv = lifetimesToCsv(
    [{ type: 'Drivetrain', lifetimes: [lifetime(), running, unused] } as Group],
    US,
    () => 'Road',
  )
  const rows = csv.trim().split('\r\n')
  expect(rows).toHaveLength(4)
  expect(rows[1]).toBe(
    'Drivetrain,Chain,Road,2025-01-01,2025-04-01,worn,yes,3218000,2000,360000,,,90,9,40,20,0.4',
  )
  expect(rows[2]).toContain(',,in use,no,')
  expect(rows[3]?.endsWith(',40,,')).toBe(true)
  expect(csv).not.toMatch(/NaN|Infinity/)
})
