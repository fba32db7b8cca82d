import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { readGarage } from './api.ts'

/** Reloads at midnight, because the totals depend on the day. */
export const garageAtom = resourceAtom(KEYS.garage, (get, { signal }) => {
  get(todayAtom)
  return readGarage(get(backendAtom).client, signal)
})
