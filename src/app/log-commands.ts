import type { Setter } from 'jotai'

import { isRotated } from '../../supabase/functions/_shared/kinds.ts'
import type { Bike } from '../features/bikes/api.ts'
import { selectBikeAtom } from '../features/bikes/atoms.ts'
import { type Item, phaseOf, searchedText } from '../features/entries/fields.ts'
import { jumpToAtom } from '../features/entries/jump.ts'
import { movingAtom } from '../features/entries/moving.ts'
import { rotatingAtom } from '../features/entries/rotating.ts'
import { openItemAtom } from '../features/entries/open-item.ts'
import { doneAtom } from '../features/service/actions.ts'
import type { Line } from '../features/service/api.ts'
import { isBikeListOpenAtom } from '../features/service/atoms.ts'
import { formatPlace, isDue } from '../features/service/task-messages.ts'
import { addressAtom } from '../lib/address.ts'
import { type Day, dayOf } from '../lib/days.ts'
import type { Formats } from '../lib/formats.ts'
import { focusContent } from './actions.ts'
import type { Command } from './command.ts'

/** Puts what is on the open bike first. */
export function openFirst<T>(list: readonly T[], open: Bike | null, bikeOf: (one: T) => number): T[] {
  const isOpen = (one: T) => Number(bikeOf(one) === open?.gear_id)
  return list.toSorted((a, b) => isOpen(b) - isOpen(a))
}

export const doTask =
  (bikeName: BikeName) =>
  (line: Line): Command => ({
    id: `done-${line.task.id}`,
    label: `${line.task.kind === 'replace' ? 'Replace' : 'Done'}: ${line.task.name}`,
    detail: formatPlace(line, bikeName),
    isFoundByLabel: true,
    run: (set) => void set(doneAtom, line),
  })

export const goToTask =
  (bikeName: BikeName) =>
  ({ task, others }: Line): Command => ({
    id: `task-${task.id}`,
    label: task.name,
    detail: formatPlace({ task, others }, bikeName),
    keywords: isDue(task) ? 'due' : '',
    run(set) {
      if (task.item_id === null) set(isBikeListOpenAtom, true)
      goToLog(set, task.gear_id, task.item_id)
    },
  })

/** Opens a bike's log, at the details of an entry if one is given. */
function goToLog(set: Setter, gearId: number, itemId: number | null): void {
  set(selectBikeAtom, gearId)
  set(addressAtom, { set: { tab: null, use: null, view: null }, by: 'replace' })
  focusContent()
  if (itemId !== null) set(openItemAtom, itemId)
}

type BikeName = (gearId: number) => string

export const isInUseOn = (today: Day) => (item: Item) => phaseOf(item, today) === 'in-use'

export const moveItem =
  (bikeName: BikeName) =>
  (item: Item): Command => ({
    id: `move-${item.id}`,
    label: `Move ${item.name} …`,
    detail: bikeName(item.bikeId),
    keywords: item.type ?? '',
    run: (set) => set(movingAtom, item),
  })

/** Offers to rotate the parts of each bike that has some at an end. */
export function rotateParts(inUse: readonly Item[], bikeName: BikeName): Command[] {
  const atEnds = inUse.filter(({ kind, position }) => isRotated(kind) && position !== null)
  return [...new Set(atEnds.map(({ bikeId }) => bikeId))].map((gear_id) => ({
    id: `rotate-${gear_id}`,
    label: 'Rotate tires …',
    detail: bikeName(gear_id),
    keywords: 'brake pads rotors swap front rear',
    changesData: true,
    run: (set) => set(rotatingAtom, { gear_id, name: bikeName(gear_id) }),
  }))
}

/** The types of parts whose wear is measured. The details say whether a part's is. */
const MEASURED_TYPES = new Set<Item['type']>(['Brakes', 'Drivetrain', 'Tires'])

export const isMeasured = ({ type }: Item) => MEASURED_TYPES.has(type)

export const measureItem =
  (bikeName: BikeName) =>
  (item: Item): Command => ({
    id: `measure-${item.id}`,
    label: `Measure ${item.name} …`,
    detail: bikeName(item.bikeId),
    keywords: `${item.type ?? ''} wear measurement`,
    run: (set) => goToLog(set, item.bikeId, item.id),
  })

export function goToItems(
  items: readonly Item[],
  bikeName: BikeName,
  open: Bike | null,
  formats: Formats,
): Command[] {
  const newestFirst = items.toSorted((a, b) => b.dateStarted.localeCompare(a.dateStarted))
  return openFirst(newestFirst, open, ({ bikeId }) => bikeId).map((item): Command => {
    const { id, bikeId, name, type, dateStarted } = item
    return {
      id: `item-${id}`,
      label: name,
      keywords: searchedText(item),
      detail: [type, bikeName(bikeId), formats.day(dayOf(dateStarted))].filter(Boolean).join(' · '),
      run(set) {
        set(selectBikeAtom, bikeId)
        set(addressAtom, { set: { tab: null, use: null, view: null }, by: 'replace' })
        set(jumpToAtom, id, true)
      },
    }
  })
}
