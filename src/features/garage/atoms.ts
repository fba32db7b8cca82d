import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { logChangesAtom } from '../items/log.ts'
import { readGarage } from './api.ts'

/** The garage. Read again whenever it is opened, after each change of a log, each sync and at midnight. */
export const garageAtom = resourceAtom(
  (get, { signal }) => {
    get(ridesChangedAtom)
    get(logChangesAtom)
    get(todayAtom)
    return readGarage(get(backendAtom).client, signal)
  },
  { cacheKey: 'garage' },
)
