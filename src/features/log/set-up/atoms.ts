import { atom } from 'jotai'

import type { Json } from '../../../../supabase/database.types.ts'
import { backendAtom } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { quote } from '../../../lib/formats.ts'
import { type Request, write } from '../../../lib/writes.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { reloadLogsAtom } from '../../items/log.ts'
import type { CommonTask } from '../../service/common-tasks.ts'
import { undoable } from '../../trash/mutate.ts'

export type NewPart = {
  type: string
  name: string
  cost: number
  day: Day
  /** In meters; null if unknown. */
  earlier_distance: number | null
  tasks: readonly CommonTask[]
}

/** Adds parts and tasks once per request, and offers Undo. Retrying with different parts throws SavedEarlier. */
export const setUpBikeAtom = atom(
  null,
  async (get, set, { gear_id, name }: NamedBike, parts: readonly NewPart[], request: Request) => {
    const { key, insteadOf } = request
    const instead = insteadOf === null ? {} : { instead_of: insteadOf }
    const args = { request_key: key, gear_id, parts: parts as unknown as Json, ...instead }
    const count = parts.length === 1 ? '1 part was' : `${parts.length} parts were`
    await undoable(get, set, `${count} added to ${quote(name)}.`, {
      change: write(get(backendAtom).client, 'set_up_bike', args, key).then(({ change }) => change),
      of: quote(name),
      after: () => set(reloadLogsAtom, [gear_id]),
    })
  },
)
