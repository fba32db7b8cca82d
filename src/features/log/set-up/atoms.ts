import { atom } from 'jotai'

import { backendAtom } from '../../../lib/backend.ts'
import { quote } from '../../../lib/formats.ts'
import type { Request } from '../../../lib/writes.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { reloadLogsAtom } from '../../items/log.ts'
import { offerUndo } from '../../parts/atoms.ts'
import { type NewPart, setUpBike, type SetUp, undoSetUp } from './api.ts'

export const setUpBikeAtom = atom(
  null,
  async (get, set, { gear_id, name }: NamedBike, parts: readonly NewPart[], request: Request) => {
    const { client } = get(backendAtom)
    let added: SetUp
    try {
      added = await setUpBike(client, gear_id, parts, request)
    } catch (cause) {
      // An earlier attempt may have saved different parts.
      void set(reloadLogsAtom, [gear_id])
      throw cause
    }
    const count = parts.length === 1 ? '1 part was' : `${parts.length} parts were`
    offerUndo(set, `${count} added to ${quote(name)}.`, { name, bikes: [gear_id] }, () =>
      undoSetUp(client, added),
    )
    await set(reloadLogsAtom, [gear_id])
  },
)
