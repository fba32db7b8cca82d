import { atom, type Setter } from 'jotai'
import { atomFamily } from 'jotai-family'
import { selectAtom } from 'jotai/utils'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote } from '../../lib/formats.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { failureMessage, type Request } from '../../lib/writes.ts'
import type { Item } from '../items/fields.ts'
import { logAtom, logChangesAtom, reloadLogAtom } from '../items/log.ts'
import {
  type Change,
  changeDay,
  type Changed,
  changeParts,
  type DayChange,
  readHistory,
  readStoredParts,
  type Reason,
  saveReason,
  undoChange,
} from './api.ts'

/** When the log was read, so what is derived from it is read again. */
const logReadAtAtom = atomFamily((gearId: number) =>
  selectAtom(logAtom(gearId), (log) => (log.state === 'ready' ? log.readAt : 0)),
)

type Place = Pick<Item, 'bikeId' | 'part_id'>

/** The history of an item's part. Read again after each change of the bike's log. */
export const historyAtom = ({ bikeId, part_id }: Place) => historyByKeyAtom(`${bikeId}/${part_id}`)

const historyByKeyAtom = atomFamily((key: string) => {
  const [gearId = 0, partId = 0] = key.split('/').map(Number)
  return resourceAtom(
    (get, { signal }) => {
      get(logReadAtAtom(gearId))
      get(ridesChangedAtom)
      get(todayAtom)
      return readHistory(get(backendAtom).client, partId, signal)
    },
    { cacheKey: `part/${partId}` },
  )
})

/** The parts that are in storage, the last one first. Read again after each change of a log. */
export const storedPartsAtom = resourceAtom(
  (get, { signal }) => {
    get(ridesChangedAtom)
    get(logChangesAtom)
    return readStoredParts(get(backendAtom).client, signal)
  },
  { cacheKey: 'stored' },
)

/** What changes, for messages: `“Chain” was replaced.` */
type Outcome = { name: string; done: string; bikes: readonly number[] }

/** Reloads the logs of the bikes. */
const reloadAtom = atom(null, async (_get, set, bikes: readonly number[]) => {
  await Promise.all([...new Set(bikes)].map((bike) => set(reloadLogAtom, bike, true)))
})

/** Changes parts and offers Undo. Resolves to what was written. Throws if that fails. */
export const changePartsAtom = atom(
  null,
  async (get, set, change: Change, request: Request, outcome: Outcome): Promise<Changed> => {
    let changed: Changed
    try {
      changed = await changeParts(get(backendAtom).client, change, request)
    } catch (cause) {
      void set(reloadAtom, outcome.bikes)
      throw cause
    }
    notifyWithUndo(set, `${quote(outcome.name)} was ${outcome.done}.`, outcome, () =>
      undoChange(get(backendAtom).client, changed),
    )
    await set(reloadAtom, outcome.bikes)
    return changed
  },
)

/** What was changed, for messages, and on which bikes. */
type Changing = Pick<Outcome, 'name' | 'bikes'>

/** Says what was done, with Undo, which `write` does. */
export function notifyWithUndo(
  set: Setter,
  message: string,
  changing: Changing,
  write: () => Promise<unknown>,
): void {
  notifyWithAction(message, { label: 'Undo', run: () => void undo(set, changing, write) })
}

async function undo(set: Setter, changing: Changing, write: () => Promise<unknown>): Promise<void> {
  const subject = `The change of ${quote(changing.name)}`
  try {
    await write()
    set(announceAtom, `${subject} was undone.`)
  } catch (cause) {
    notifyWithAction(
      failureMessage(subject, 'undone', cause),
      { label: 'Try again', run: () => void undo(set, changing, write) },
      { stays: true },
    )
  }
  await set(reloadAtom, changing.bikes)
}

/** Changes the day of a replacement or move, and offers Undo. Resolves to null, or to why nothing was changed. */
export const changeDayAtom = atom(
  null,
  async (get, set, change: DayChange, outcome: Outcome): Promise<string | null> => {
    const { client } = get(backendAtom)
    try {
      await changeDay(client, change)
    } catch (cause) {
      void set(reloadAtom, outcome.bikes)
      return failureMessage(`The day of ${quote(outcome.name)}`, 'changed', cause)
    }
    const back = { ...change, from: change.to, to: change.from }
    notifyWithUndo(set, `The day of ${quote(outcome.name)} was changed.`, outcome, () =>
      changeDay(client, back),
    )
    await set(reloadAtom, outcome.bikes)
    return null
  },
)

/** Saves why an item ended. */
export const saveReasonAtom = atom(null, async (get, set, { id, bikeId, name }: Item, reason: Reason) => {
  try {
    await saveReason(get(backendAtom).client, id, reason)
  } catch (cause) {
    notifyFailure(failureMessage(`The reason of ${quote(name)}`, 'saved', cause))
  }
  await set(reloadAtom, [bikeId])
})
