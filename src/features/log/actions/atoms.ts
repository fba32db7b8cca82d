import { atom } from 'jotai'

import type { WriteInput } from '../../../../supabase/functions/_shared/contracts/run-command.ts'
import { notifyFailure } from '../../../components/toasts.tsx'
import { backendAtom } from '../../../lib/backend.ts'
import { runCommand } from '../../../lib/commands.ts'
import { quote } from '../../../lib/formats.ts'
import { PARTS_AND_COSTS } from '../../../lib/inputs.ts'
import { resourceAtom } from '../../../lib/resource.ts'
import { failureMessage, newUuid } from '../../../lib/writes.ts'
import type { Earlier } from '../../entries/earlier.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { mutate } from '../../journal/mutate.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { type Change, type DayChange, readStoredParts, type Reason } from './api.ts'
import { ENDS, otherEnd, type Rotation } from './rotation.ts'
import { applyToStored } from './stored-waiting.ts'

/** Parts in storage, the most recently stored first. */
export const storedPartsAtom = resourceAtom(
  { reads: ['rides', PARTS_AND_COSTS], cacheAs: 'stored', applyWaiting: applyToStored },
  (get, { signal }) => readStoredParts(get(backendAtom).client, signal),
)

type Outcome = Pick<Parameters<typeof mutate<'change_parts'>>[4], 'done' | 'items' | 'onWritten'> & {
  /** Of the part, for messages such as `“Chain” was replaced.` */
  name: string
  /** The names of the parts that went along. */
  along?: readonly string[]
  /** The names of the parts that came off. */
  replaced?: readonly string[]
}

const listNames = (intro: string, names: readonly string[]) =>
  names.length > 0 ? ` ${intro} ${names.map((one) => quote(one)).join(', ')}.` : ''

/** Changes parts and offers Undo. Rejects if the change fails. */
export const changePartsAtom = atom(null, (get, set, change: Change, key: string, outcome: Outcome) => {
  const { name, along = [], replaced = [], ...rest } = outcome
  const message = `${quote(name)} was ${rest.done}.${listNames('With it:', along)}${listNames('It replaces', replaced)}`
  return mutate(get, set, 'change_parts', change, { subject: quote(name), message, ...rest }, key)
})

type Rotated = Omit<WriteInput<'rotate'>, 'gear_id'>

/** Rotates a bike's parts and offers Undo. Rejects if the change fails. */
export const rotateAtom = atom(
  null,
  (get, set, { gear_id, name }: NamedBike, rotated: Rotated, { at }: Rotation, key: string) => {
    const moved = ENDS.flatMap((end) => {
      const part = at[otherEnd(end)]
      return part ? [`${quote(part.name)} is at the ${end} now.`] : []
    })
    const outcome = { subject: `the parts of ${name}`, done: 'rotated', message: moved.join(' ') }
    return mutate(get, set, 'rotate', { gear_id, ...rotated }, outcome, key)
  },
)

/** Changes the day of a replacement or move, and offers Undo. Rejects if the change fails. */
export const changeDayAtom = atom(null, (get, set, change: DayChange, subject: string, key: string) =>
  mutate(get, set, 'change_part_day', change, { subject, done: 'changed' }, key),
)

export const saveReasonAtom = atom(null, async (get, set, item: Item, ended_as: Reason) => {
  const { id, bikeId, name } = item
  const edit = {
    relation: 'maintenance',
    row_id: id,
    shown: { ended_as: item.ended_as },
    wanted: { ended_as },
  } as const
  const subject = `The end reason of ${quote(name)}`
  try {
    await runCommand(get, set, 'edit_row', edit, newUuid(), subject)
  } catch (cause) {
    notifyFailure(failureMessage(subject, 'saved', cause))
  }
  await set(logAtom(bikeId).settleAtom)
})

type EarlierChange = { shown: Earlier; wanted: Partial<Earlier> }

/** Saves a part's usage from before the log, and offers Undo. Rejects if the write fails. */
export const changeEarlierAtom = atom(
  null,
  (get, set, { part_id, name }: Pick<Item, 'part_id' | 'name'>, change: EarlierChange, key: string) => {
    const subject = `The earlier usage of ${quote(name)}`
    const edit = { relation: 'parts', row_id: part_id, ...change } as const
    return mutate(get, set, 'edit_row', edit, { subject, done: 'saved' }, key)
  },
)
