import { atom, type Getter, type Setter } from 'jotai'

import type { Bike } from '../features/bikes/api.ts'
import {
  bikeNameAtom,
  bikesAtom,
  openGarageAtom,
  selectBikeAtom,
  selectedBikeAtom,
} from '../features/bikes/atoms.ts'
import { allItemsAtom } from '../features/entries/log.ts'
import { type Item, phaseOf, searchedText } from '../features/entries/fields.ts'
import { jumpToAtom } from '../features/entries/jump.ts'
import { movingAtom } from '../features/entries/moving.ts'
import { doneAtom } from '../features/service/actions.ts'
import type { Task } from '../features/service/api.ts'
import { shownActiveTasksAtom } from '../features/service/atoms.ts'
import { serviceDialogAtom } from '../features/service/open-dialog.ts'
import { formatPlace, isDue } from '../features/service/task-messages.ts'
import { addressAtom } from '../lib/address.ts'
import { backendAtom } from '../lib/backend.ts'
import { todayAtom } from '../lib/clock.ts'
import type { Config } from '../lib/config.ts'
import { dayOf } from '../lib/days.ts'
import { type Formats, formatsAtom } from '../lib/formats.ts'
import { fold, matcher } from '../lib/search.ts'
import { type Action, ACTIONS, focusContent } from './actions.ts'

export type Command = {
  id: string
  label: string
  detail?: string
  /** Found by, but not shown. */
  keywords?: string
  changesData?: boolean | undefined
  run: (set: Setter) => void
}

/** With `isSearched`, commands only appear in search results, because there may be many. */
export type CommandGroup = { heading: string; isSearched?: boolean; commands: Command[] }

export const commandsAtom = atom((get): CommandGroup[] => {
  const [bikes, items, open] = [get(bikesAtom), get(allItemsAtom), get(selectedBikeAtom)]
  const known = bikes.state === 'ready' ? bikes.data : []
  const bikeName = get(bikeNameAtom)
  const doTask = (task: Task): Command => ({
    id: `task-${task.id}`,
    label: `${task.kind === 'replace' ? 'Replace' : 'Done'}: ${task.name}`,
    detail: formatPlace(task, bikeName),
    changesData: true,
    run: (set) => void set(doneAtom, task),
  })
  const tasks = openFirst(get(shownActiveTasksAtom), open, ({ gear_id }) => gear_id)
  return [
    { heading: 'Bikes', commands: [GARAGE, ...known.map(goToBike)] },
    { heading: open?.name ?? '', commands: open ? TABS : [] },
    { heading: 'Due', commands: tasks.filter(isDue).map(doTask) },
    {
      heading: 'Add',
      commands: open ? addTo(open) : known.filter((bike) => !bike.is_retired).flatMap(addTo),
    },
    { heading: 'Actions', commands: actions(open, get(backendAtom).config) },
    { heading: 'Tasks', isSearched: true, commands: tasks.filter((task) => !isDue(task)).map(doTask) },
    {
      heading: 'Log entries',
      isSearched: true,
      commands: items.state === 'ready' ? goToItems(items.data, known, open, get(formatsAtom)) : [],
    },
    {
      heading: 'Parts',
      isSearched: true,
      commands: known.length > 1 && items.state === 'ready' ? moveItems(items.data, open, get) : [],
    },
  ]
})

const goTo = (id: string, label: string, go: (set: Setter) => void): Command => ({
  id,
  label,
  run(set) {
    go(set)
    focusContent()
  },
})

const GARAGE = goTo('garage', 'Garage', (set) => set(openGarageAtom))

const goToBike = ({ gear_id, name }: Bike) =>
  goTo(`bike-${gear_id}`, name, (set) => set(selectBikeAtom, gear_id))

const goToTab = (label: string, tab: string | null) =>
  goTo(`tab-${label}`, label, (set) => set(addressAtom, { set: { tab, use: null, view: null }, by: 'push' }))

const TABS = [goToTab('Maintenance Log', null), goToTab('Rides', 'rides')]

/** Puts what is on the open bike first. */
function openFirst<T>(list: readonly T[], open: Bike | null, bikeOf: (one: T) => number): T[] {
  const isOpen = (one: T) => Number(bikeOf(one) === open?.gear_id)
  return list.toSorted((a, b) => isOpen(b) - isOpen(a))
}

const addTo = ({ gear_id, name }: Bike): Command[] => [
  {
    id: `entry-${gear_id}`,
    label: 'Add entry …',
    keywords: ACTIONS.addRow.label,
    detail: name,
    changesData: true,
    run(set) {
      set(selectBikeAtom, gear_id)
      set(ACTIONS.addRow.action)
    },
  },
  {
    id: `add-task-${gear_id}`,
    label: 'Add task …',
    detail: name,
    changesData: true,
    run: (set) => set(serviceDialogAtom, { kind: 'add', owner: { gear_id, name, type: null } }),
  },
]

function actions(open: Bike | null, { secondFactor = false }: Config): Command[] {
  return (
    Object.entries<Action>(ACTIONS)
      .filter(([, { needsBike }]) => open !== null || !needsBike)
      // Entries are added to any bike.
      .filter(([id]) => id !== 'addRow' && (secondFactor || id !== 'secondFactor'))
      .map(([id, { label, changesData, action }]) => ({ id, label, changesData, run: (set) => set(action) }))
  )
}

function moveItems(items: readonly Item[], open: Bike | null, get: Getter): Command[] {
  const [today, bikeName] = [get(todayAtom), get(bikeNameAtom)]
  const inUse = items.filter((item) => item.dateEnded === null && phaseOf(item, today) === 'in-use')
  return openFirst(inUse, open, ({ bikeId }) => bikeId).map((item) => ({
    id: `move-${item.id}`,
    label: `Move ${item.name} …`,
    detail: bikeName(item.bikeId),
    keywords: item.type ?? '',
    changesData: true,
    run: (set) => set(movingAtom, item),
  }))
}

function goToItems(
  items: readonly Item[],
  bikes: readonly Bike[],
  open: Bike | null,
  formats: Formats,
): Command[] {
  const names = new Map(bikes.map(({ gear_id, name }) => [gear_id, name]))
  const newestFirst = items.toSorted((a, b) => b.dateStarted.localeCompare(a.dateStarted))
  return openFirst(newestFirst, open, ({ bikeId }) => bikeId).map((item): Command => {
    const { id, bikeId, name, type, dateStarted } = item
    return {
      id: `item-${id}`,
      label: name,
      keywords: searchedText(item),
      detail: [type, names.get(bikeId), formats.day(dayOf(dateStarted))].filter(Boolean).join(' · '),
      run(set) {
        set(selectBikeAtom, bikeId)
        set(addressAtom, { set: { tab: null, use: null, view: null }, by: 'replace' })
        set(jumpToAtom, id)
      },
    }
  })
}

const MAX_MATCHES = 30

export function filterCommands(groups: readonly CommandGroup[], search: string): CommandGroup[] {
  const matches = matcher(search)
  const isMatch = ({ label, detail = '', keywords = '' }: Command) =>
    matches(fold(`${label} ${detail} ${keywords}`))
  return groups
    .filter(({ isSearched = false }) => !isSearched || search.trim() !== '')
    .map(({ heading, commands }) => ({ heading, commands: commands.filter(isMatch).slice(0, MAX_MATCHES) }))
    .filter(({ commands }) => commands.length > 0)
}
