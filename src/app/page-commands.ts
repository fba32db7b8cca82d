import type { Setter } from 'jotai'

import type { Bike } from '../features/bikes/api.ts'
import { openAllRidesAtom, openGarageAtom, selectBikeAtom } from '../features/bikes/atoms.ts'
import { serviceDialogAtom } from '../features/service/open-dialog.ts'
import { addressAtom } from '../lib/address.ts'
import type { Config } from '../lib/config.ts'
import { type Action, ACTIONS, focusContent } from './actions.ts'
import type { Command } from './command.ts'

const goTo = (command: Omit<Command, 'run'>, go: (set: Setter) => void): Command => ({
  ...command,
  run(set) {
    go(set)
    focusContent()
  },
})

export const GARAGE = goTo({ id: 'garage', label: 'Garage', keywords: 'home overview' }, (set) =>
  set(openGarageAtom),
)

export const ALL_RIDES = goTo(
  {
    id: 'all-rides',
    label: 'Rides of all bikes',
    keywords: 'year years months compare distance hours climbing elevation activities trips statistics',
  },
  (set) => set(openAllRidesAtom),
)

const inGarage = (label: string, address: Record<string, string>, keywords: string): Command =>
  goTo({ id: `garage-${label}`, label, keywords }, (set) => set(openGarageAtom, address))

/** The sections and tabs of the Garage, with the words that riders say for them. */
export const GARAGE_PAGES = [
  inGarage('Due', { section: 'Due' }, 'done service tasks upcoming reminders snooze snoozed'),
  inGarage('To check', { section: 'To check' }, 'problems errors without a bike unknown kinds'),
  inGarage('Stored', { section: 'Stored' }, 'parts spares shelf install'),
  inGarage('Lifetimes', { tab: 'lifetimes' }, 'wear how long parts last compare'),
  inGarage('Spending', { tab: 'spending' }, 'costs money budget per mile kilometer year income sold'),
]

export const goToBike = ({ gear_id, name, is_retired }: Bike) =>
  goTo({ id: `bike-${gear_id}`, label: name, keywords: is_retired ? 'retired sold' : '' }, (set) =>
    set(selectBikeAtom, gear_id),
  )

/** Lists a bike's pages, with its name if it isn't open. */
export const pagesOf = (bike: Bike, open: Bike | null): Command[] =>
  BIKE_PAGES.map(({ label, keywords, tab = null, view = null, detail: shown = null }) => {
    const isOpen = bike === open
    const detail = isOpen ? undefined : bike.name
    return goTo({ id: `page-${label}-${bike.gear_id}`, label, detail, keywords }, (set) => {
      if (!isOpen) set(selectBikeAtom, bike.gear_id)
      set(addressAtom, {
        set: { tab, view, detail: shown, use: null, item: null, year: null, day: null },
        by: isOpen ? 'push' : 'replace',
      })
    })
  })

type BikePage = { label: string; keywords: string; tab?: string; view?: string; detail?: string }

const BIKE_PAGES: readonly BikePage[] = [
  { label: 'Maintenance Log', keywords: 'entries parts table photos pictures receipts files pdf' },
  { label: 'Rides', tab: 'rides', keywords: 'activities trips' },
  { label: 'Timeline', view: 'timeline', keywords: 'chart history' },
  { label: 'Parts list', view: 'parts-list', keywords: 'print' },
  {
    label: 'Passport',
    view: 'parts-list',
    detail: 'service',
    keywords: 'parts list print sell sold buyer insurance serial number size color',
  },
]

export const addTo = ({ gear_id, name }: Bike): Command[] => [
  {
    id: `entry-${gear_id}`,
    label: 'Add entry …',
    keywords: ACTIONS.addRow.label,
    detail: name,
    run(set) {
      set(selectBikeAtom, gear_id)
      set(ACTIONS.addRow.action)
    },
  },
  {
    id: `add-task-${gear_id}`,
    label: 'Add service task …',
    keywords: 'once repeat reminder',
    detail: name,
    run: (set) =>
      set(serviceDialogAtom, { kind: 'add', owner: { gear_id, name, part: null, bikeId: gear_id } }),
  },
]

export function actionsOf(
  open: Bike | null,
  hasKeyboard: boolean,
  { secondFactor = false }: Config,
): Action[] {
  const isOffered: Record<string, boolean> = {
    // Entries are added to any bike.
    addRow: false,
    // Parts of any bike are rotated.
    rotate: false,
    // The bike's pages.
    partsList: false,
    passport: false,
    secondFactor,
    showShortcuts: hasKeyboard,
  }
  return Object.entries<Action>(ACTIONS)
    .filter(([name, { needsBike }]) => (open !== null || !needsBike) && (isOffered[name] ?? true))
    .map(([, action]) => action)
}

export const toCommand = ({ label, keywords, changesData, action }: Action): Command => ({
  id: label,
  label,
  keywords,
  changesData,
  run: (set) => set(action),
})
