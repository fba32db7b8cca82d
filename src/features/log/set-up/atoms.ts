import { atom } from 'jotai'

import { backendAtom } from '../../../lib/backend.ts'
import { quote } from '../../../lib/formats.ts'
import type { Request } from '../../../lib/writes.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { reloadLogsAtom } from '../../items/log.ts'
import { offerUndo } from '../../trash/undo.ts'
import { type NewPart, setUpBike } from './api.ts'

export const setUpBikeAtom = atom(
  null,
  async (get, set, { gear_id, name }: NamedBike, parts: readonly NewPart[], request: Request) => {
    const after = () => set(reloadLogsAtom, [gear_id])
    let change: string | null
    try {
      change = await setUpBike(get(backendAtom).client, gear_id, parts, request)
    } catch (cause) {
      // An earlier attempt may have saved different parts.
      void after()
      throw cause
    }
    const count = parts.length === 1 ? '1 part was' : `${parts.length} parts were`
    offerUndo(get, set, `${count} added to ${quote(name)}.`, { change, of: quote(name), after })
    await after()
  },
)
