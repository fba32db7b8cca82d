import type { WriteInput } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { rowsOf, type Waiting } from '../../lib/waiting.ts'
import { itemOf } from '../../lib/waiting-rows.ts'
import { dayOf } from '../../lib/days.ts'
import { compareTimes, type Item } from './fields.ts'

type Off = Pick<Item, 'id' | 'ended_as'>

/** An entry that is put on: in place of another one, or of a part that has another one already, by its ID. */
type On = { item: Item; replaces?: number | undefined; part_of?: number | undefined }

/** What a change takes off bikes and puts on them, and when. `items`: the entries of the parts, as the screen showed them. */
export type PartsChange = { moment: string; off: readonly Off[]; on: readonly On[]; items: readonly Item[] }

const NOTHING: PartsChange = { moment: '', off: [], on: [], items: [] }

/** Returns what a change that waits does to parts. New entries may replace some, too. */
export function partsChangeOf(change: Waiting): PartsChange {
  if (change.command === 'change_parts') return changed(change.input, change)
  if (change.command !== 'add_item') return NOTHING
  const { item, replaces = [] } = change.input
  const [row] = rowsOf(change)
  const added = itemOf(item, row!.id, row!.part) as unknown as Item
  const on = { item: added, replaces: replaces[0]?.id }
  return { moment: added.dateStarted, off: replaces, on: [on], items: [] }
}

/** Does the same as the SQL function `private.command_change_parts`. */
function changed({ day, take_off, put_on }: WriteInput<'change_parts'>, change: Waiting): PartsChange {
  const items = (change.items ?? []) as readonly Item[]
  const times = items.flatMap(({ dateStarted, dateEnded }) => [dateStarted, dateEnded ?? ''])
  const moment = times
    .filter((time) => time !== '' && dayOf(time) === day)
    .reduce((latest, time) => (compareTimes(time, latest) > 0 ? time : latest), `${day}T01:00:00`)
  const started = { dateStarted: moment, dateEnded: null, ended_as: null }
  const rows = rowsOf(change)
  const on = (put_on as (Partial<Item> & Pick<On, 'part_of'> & { replaces?: number })[]).flatMap(
    ({ part_of, replaces, ...values }, index): On[] => {
      const { id, part } = rows[index]!
      const of = items.find((one) => one.id === (part_of ?? replaces))
      if (!of) return []
      if (part_of === undefined) {
        const item = { ...itemOf(values, id, part), bikeId: of.bikeId, ...started } as unknown as Item
        return [{ item, replaces }]
      }
      const { waitingId: _known, ...source } = of
      return [{ item: { ...source, cost: 0, file_count: 0, ...values, id, ...started }, part_of }]
    },
  )
  return { moment, off: take_off, on, items }
}
