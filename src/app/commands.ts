import { atom } from 'jotai'

import { bikeNameAtom, bikesAtom, selectedBikeAtom } from '../features/bikes/atoms.ts'
import { allItemsAtom } from '../features/entries/log.ts'
import { shownLinesAtom } from '../features/service/atoms.ts'
import { isDue } from '../features/service/task-messages.ts'
import { backendAtom } from '../lib/backend.ts'
import { todayAtom } from '../lib/clock.ts'
import { formatsAtom } from '../lib/formats.ts'
import { hasKeyboardAtom } from '../lib/screen.ts'
import { fold, matcher } from '../lib/search.ts'
import type { Command, CommandGroup } from './command.ts'
import {
  doTask,
  goToItems,
  goToTask,
  isInUseOn,
  isMeasured,
  measureItem,
  moveItem,
  openFirst,
  rotateParts,
} from './log-commands.ts'
import {
  actionsOf,
  addTo,
  ALL_RIDES,
  GARAGE,
  GARAGE_PAGES,
  goToBike,
  pagesOf,
  toCommand,
} from './page-commands.ts'

/** Commands that open something come before those that change something, so Enter after a name only opens what has that name. */
export const commandsAtom = atom((get): CommandGroup[] => {
  const [bikes, items, open] = [get(bikesAtom), get(allItemsAtom), get(selectedBikeAtom)]
  const known = bikes.state === 'ready' ? bikes.data : []
  const entries = items.state === 'ready' ? items.data : []
  const inUse = openFirst(entries.filter(isInUseOn(get(todayAtom))), open, ({ bikeId }) => bikeId)
  const tasks = openFirst(get(shownLinesAtom), open, ({ task }) => task.gear_id)
  const bikeName = get(bikeNameAtom)
  const actions = actionsOf(open, get(hasKeyboardAtom), get(backendAtom).config)
  return [
    { heading: 'Bikes', commands: [GARAGE, ...known.map(goToBike)] },
    { heading: open?.name ?? '', commands: open ? pagesOf(open, open) : [] },
    {
      heading: 'Due',
      when: 'unsearched',
      commands: tasks.filter(({ task }) => isDue(task)).map(doTask(bikeName)),
    },
    {
      heading: 'Pages',
      commands: [
        ALL_RIDES,
        ...GARAGE_PAGES,
        ...actions.filter(({ actsAtOnce }) => !actsAtOnce).map(toCommand),
      ],
    },
    {
      heading: 'Add',
      commands: open ? addTo(open) : known.filter((bike) => !bike.is_retired).flatMap(addTo),
    },
    {
      heading: 'Other pages',
      when: 'searched',
      commands: known.filter((bike) => bike !== open).flatMap((bike) => pagesOf(bike, open)),
    },
    {
      heading: 'Log entries',
      when: 'searched',
      commands: goToItems(entries, bikeName, open, get(formatsAtom)),
    },
    { heading: 'Tasks', when: 'searched', commands: tasks.map(goToTask(bikeName)) },
    {
      heading: 'Parts',
      when: 'searched',
      commands: [
        ...rotateParts(inUse, bikeName),
        ...inUse.filter(isMeasured).map(measureItem(bikeName)),
        ...(known.length > 1 ? inUse.filter(({ dateEnded }) => dateEnded === null) : []).map(
          moveItem(bikeName),
        ),
      ],
    },
    { heading: 'Actions', commands: actions.filter(({ actsAtOnce }) => actsAtOnce).map(toCommand) },
    { heading: 'Mark done', when: 'searched', commands: tasks.map(doTask(bikeName)) },
  ]
})

const MAX_MATCHES = 30

/** Returns the commands that a search finds, in each group first those whose label it finds. */
export function filterCommands(groups: readonly CommandGroup[], search: string): CommandGroup[] {
  const matches = matcher(search)
  const isNamed = ({ label }: Command) => matches(fold(label))
  const isMatch = ({ label, detail = '', keywords = '', isFoundByLabel = false }: Command) =>
    matches(fold(isFoundByLabel ? label : `${label} ${detail} ${keywords}`))
  const hidden = search.trim() === '' ? 'searched' : 'unsearched'
  return groups
    .filter(({ when }) => when !== hidden)
    .map(({ heading, commands }) => {
      const found = commands.filter(isMatch)
      const named = found.filter(isNamed)
      const others = found.filter((command) => !named.includes(command))
      return { heading, commands: [...named, ...others].slice(0, MAX_MATCHES) }
    })
    .filter(({ commands }) => commands.length > 0)
}
