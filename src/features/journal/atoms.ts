import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { runCommand } from '../../lib/commands.ts'
import { AppError, messageFor, toAppError } from '../../lib/errors.ts'
import { OWNED } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { newUuid } from '../../lib/writes.ts'
import { logAtom } from '../entries/log.ts'
import { type Conflict, type Group, PAGE_SIZE, readTrash } from './api.ts'

export type Listed = 'deletions' | 'all'

const listedBase = atom<{ listed: Listed; pages: number }>({ listed: 'all', pages: 1 })

export const listedAtom = atom(
  (get) => get(listedBase).listed,
  (_get, set, listed: Listed) => set(listedBase, { listed, pages: 1 }),
)

export const trashAtom = resourceAtom({ reads: OWNED, cacheAs: 'trash' }, (get, { signal }) => {
  const { listed, pages } = get(listedBase)
  return readTrash(get(backendAtom).client, { pages, deletions: listed === 'deletions' }, signal)
})

/** Whether there may be more pages. */
export const hasMoreAtom = atom((get) => {
  const trash = get(trashAtom)
  return trash.state === 'ready' && trash.data.length === get(listedBase).pages * PAGE_SIZE
})

export const showMoreAtom = atom(null, (_get, set) =>
  set(listedBase, (base) => ({ ...base, pages: base.pages + 1 })),
)

/** Restores a change. Resolves to the conflicts or the error that prevented it, or to no conflicts on success. */
export const restoreAtom = atom(
  null,
  async (get, set, { id, bikes }: Group, keepChanged: boolean): Promise<Conflict[] | AppError> => {
    let outcome: Conflict[] | AppError
    try {
      const undo = { change: id, keep_changed: keepChanged }
      outcome = (await runCommand(get, set, 'undo', undo, newUuid())).answer.conflicts
    } catch (cause) {
      outcome = toAppError(cause)
    }
    await Promise.all(bikes.map((bike) => set(logAtom(bike).settleAtom)))
    await set(trashAtom.settleAtom)
    return outcome
  },
)

/** Says why a change couldn't be restored. The database's message suggests another day, which Restore can't choose. */
export const restoreFailure = (error: AppError): string =>
  messageFor(error).replace(' Choose another day.', '')
