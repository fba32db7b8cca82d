import type { Item } from './fields.ts'

export const ITEM: Item = {
  id: 1,
  bikeId: 7,
  type: null,
  name: 'Chain',
  description: 'KMC',
  link: null,
  cost: 45,
  dateStarted: '2024-01-10T01:00:00',
  dateEnded: null,
  part_id: 1,
  ended_as: null,
  position: null,
}
