import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { readGarage } from './api.ts'

/** The garage. Also read again at midnight. */
export const garageAtom = resourceAtom(KEYS.garage, (get, { signal }) => {
  get(todayAtom)
  return readGarage(get(backendAtom).client, signal)
})
