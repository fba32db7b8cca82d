import { atom } from 'jotai'

import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import type { Day } from '../../../lib/days.ts'
import { quote } from '../../../lib/formats.ts'
import type { NamedBike } from '../../bikes/api.ts'
import type { CommonTask } from '../../service/common-tasks.ts'
import { mutate } from '../../journal/mutate.ts'

export type NewPart = KindAndPosition & {
  type: string
  name: string
  cost: number
  day: Day
  /** In meters; null if unknown. */
  earlier_distance: number | null
  /** Null: today. */
  count_from: 'installed' | null
  tasks: readonly CommonTask[]
}

/** Adds parts and tasks, and offers Undo. Rejects if the write fails. */
export const setUpBikeAtom = atom(
  null,
  (get, set, { gear_id, name }: NamedBike, parts: NewPart[], key: string) => {
    const count = parts.length === 1 ? '1 part was' : `${parts.length} parts were`
    const message = `${count} added to ${quote(name)}.`
    return mutate(
      get,
      set,
      'set_up_bike',
      { gear_id, parts },
      { subject: quote(name), done: 'set up', message },
      key,
    )
  },
)
