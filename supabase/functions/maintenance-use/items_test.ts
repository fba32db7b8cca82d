import assert from 'node:assert/strict'
import { toItems } from './items.ts'

Deno.test('columns become a record for each item', () => {
  const columns = {
    id: [3, 4],
    rides: [2, 0],
    distance: [20000.5, 0],
    moving_time: [3600, 0],
    first_ride: ['2024-05-01T08:00:00', null],
    last_ride: ['2024-05-02T08:00:00', null],
  }
  assert.deepEqual(toItems(columns), [
    {
      id: 3,
      rides: 2,
      distance: 20000.5,
      moving_time: 3600,
      first_ride: '2024-05-01T08:00:00',
      last_ride: '2024-05-02T08:00:00',
    },
    { id: 4, rides: 0, distance: 0, moving_time: 0, first_ride: null, last_ride: null },
  ])
})

Deno.test('a log without items has none', () => {
  assert.deepEqual(toItems(null), [])
})
