import { atom } from 'jotai'

import { backendAtom, type Client } from '../../lib/backend.ts'
import { AppError, unwrap } from '../../lib/errors.ts'
import { quote } from '../../lib/formats.ts'
import { settleWrite } from '../../lib/writes.ts'
import type { Earlier } from '../items/earlier.ts'
import type { Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import { offerUndo } from './atoms.ts'

type EarlierChange = Record<'from' | 'to', Earlier>

/** Replaces a part's usage from before the log. Throws RMT11 if it has been changed elsewhere. */
function changeEarlier(client: Client, id: number, { from, to }: EarlierChange): Promise<void> {
  const write = async () => {
    // An earlier attempt may have stored `to` already.
    for (const stored of [from, to]) {
      const part = client.from('parts').update(to).eq('id', id)
      const isStored = AMOUNTS.reduce(
        (query, amount) => query.filter(amount, ...isExactly(stored[amount])),
        part,
      )
      if (unwrap(await isStored.select('id')).length > 0) return
    }
    throw new AppError('RMT11', 'The earlier usage was changed elsewhere')
  }
  return settleWrite(write, write)
}

const AMOUNTS = ['earlier_distance', 'earlier_moving_time'] as const

const isExactly = (amount: number | null): ['is' | 'eq', number | null] => [
  amount === null ? 'is' : 'eq',
  amount,
]

export type PartOnBikes = Pick<Item, 'part_id' | 'name'> & { bikes: readonly number[] }

/** Saves a part's usage from before the log, and offers Undo. Rejects if the write fails. */
export const changeEarlierAtom = atom(null, async (get, set, part: PartOnBikes, change: EarlierChange) => {
  const { client } = get(backendAtom)
  const { part_id, bikes, name } = part
  try {
    await changeEarlier(client, part_id, change)
  } catch (cause) {
    void set(reloadLogsAtom, bikes)
    throw cause
  }
  const back = { from: change.to, to: change.from }
  offerUndo(set, `The earlier usage of ${quote(name)} was saved.`, part, () =>
    changeEarlier(client, part_id, back),
  )
  await set(reloadLogsAtom, bikes)
})
