import { expect, test } from 'vitest'

import type { Waiting } from '../../../lib/waiting.ts'
import { ITEM } from '../../entries/fake-item.ts'
import type { StoredPart } from './api.ts'
import { applyToStored } from './stored-waiting.ts'

const today = '2026-03-01'
const FORK = { ...ITEM, id: 5, part_id: 50, bikeId: 7, name: 'Fork' }
const SPARE = {
  part_id: 60,
  item_id: 6,
  gear_id: 8,
  name: 'Spare',
  type: null,
  stored_at: '2026-02-01T01:00:00',
  distance: 900,
} as StoredPart

const change = (id: number, input: object, items: object[] = [FORK]) =>
  ({ command: 'change_parts', id, input, items }) as unknown as Waiting
const store = change(-1, { day: today, take_off: [{ id: 5, ended_as: 'stored' }], put_on: [] })
const install = (of: number) => change(-2, { day: today, take_off: [], put_on: [{ bikeId: 8, part_of: of }] })
const shown = (...changes: Waiting[]) => applyToStored([SPARE], changes, { today })

test('shows stored parts as they will be', () => {
  const fork = {
    part_id: 50,
    item_id: 5,
    gear_id: 7,
    name: 'Fork',
    stored_at: `${today}T01:00:00`,
    isUncounted: true,
  }
  expect(shown(store)).toMatchObject([fork, { part_id: 60, distance: 900 }])
  expect(shown(store, install(5))).toEqual([SPARE])
  expect(
    shown(
      change(-2, { day: today, take_off: [], put_on: [{ bikeId: 8, part_of: 6 }] }, [
        { ...FORK, id: 6, part_id: 60 },
      ]),
    ),
  ).toEqual([])
  const worn = change(-1, { day: today, take_off: [{ id: 5, ended_as: 'worn' }], put_on: [] })
  expect(shown(worn)).toEqual([SPARE])
  const renamed = { relation: 'maintenance', row_id: 6, wanted: { name: 'Other' } }
  expect(shown({ command: 'edit_row', input: renamed, id: -3 } as unknown as Waiting)).toMatchObject([
    { name: 'Other' },
  ])
})
