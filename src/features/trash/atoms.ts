import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { AppError, toAppError } from '../../lib/errors.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { logChangesAtom, reloadLogAtom } from '../items/log.ts'
import { type Conflict, type Group, PAGE_SIZE, readTrash, restoreChange } from './api.ts'

const pagesBase = atom(1)

/** What changed in the log in the last 30 days, the newest first. Read again after each change. */
export const trashAtom = resourceAtom(
  (get, { signal }) => {
    get(logChangesAtom)
    return readTrash(get(backendAtom).client, get(pagesBase), signal)
  },
  { cacheKey: 'trash' },
)

/** Whether there may be more than the pages that were read. */
export const hasMoreAtom = atom((get) => {
  const trash = get(trashAtom)
  return trash.state === 'ready' && trash.data.length === get(pagesBase) * PAGE_SIZE
})

export const showMoreAtom = atom(null, (_get, set) => set(pagesBase, (pages) => pages + 1))

/** Restores a change. Resolves to why it could not be restored; empty if it was. */
export const restoreAtom = atom(
  null,
  async (get, set, { id, bikes }: Group, keepChanged: boolean): Promise<Conflict[] | AppError> => {
    let outcome: Conflict[] | AppError
    try {
      outcome = await restoreChange(get(backendAtom).client, id, keepChanged)
    } catch (cause) {
      outcome = toAppError(cause)
    }
    await Promise.all(bikes.map((bike) => set(reloadLogAtom, bike, true)))
    await set(trashAtom)
    return outcome
  },
)
