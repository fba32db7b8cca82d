// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'

import { bikesAtom } from '../features/bikes/atoms.ts'
import { allItemsAtom } from '../features/entries/log.ts'
import { dueAtom } from '../features/service/atoms.ts'
import { addressAtom } from '../lib/address.ts'
import { fakeStore, GATE } from '../lib/fake-backend.ts'
import type { Command, CommandGroup } from './command.ts'
import { commandsAtom, filterCommands } from './commands.ts'

const command = (label: string, detail?: string): Command => ({
  id: label,
  label,
  run: () => undefined,
  ...(detail !== undefined && { detail }),
})
const GROUPS: CommandGroup[] = [
  { heading: 'Bikes', commands: [command('Blue Domane'), command('Warbird')] },
  { heading: 'Due', when: 'unsearched', commands: [command('Done: Wash', 'Warbird')] },
  {
    heading: 'Log entries',
    when: 'searched',
    commands: [
      command('KMC chain', 'Drivetrain · Warbird · 05/10/2026'),
      command('Saddle', 'Blue Domane'),
      command('Domane stem', 'Warbird'),
    ],
  },
]
const labels = (search: string) =>
  filterCommands(GROUPS, search).flatMap(({ commands }) => commands.map(({ label }) => label))

test.each([
  ['', ['Blue Domane', 'Warbird', 'Done: Wash']],
  ['  ', ['Blue Domane', 'Warbird', 'Done: Wash']],
  ['domane', ['Blue Domane', 'Domane stem', 'Saddle']],
  ['WAR chain', ['KMC chain']],
  ['chain 2026', ['KMC chain']],
  ['no such thing', []],
])('the search %j finds %j', (search, found) => {
  expect(labels(search)).toEqual(found)
})

test('shows at most 30 matches per group', () => {
  const commands = Array.from({ length: 500 }, (_, n) => command(`Chain ${n}`))
  expect(filterCommands([{ heading: 'Log entries', commands }], 'chain')[0]?.commands).toHaveLength(30)
})

const ANSWERS: [path: string, answer: unknown][] = [
  ['/rest/v1/bikes', [bike(1, 'Domane'), bike(2, 'Surly')]],
  [
    '/rest/v1/rpc/log_items',
    { items: [item(10, 1, 'KMC chain', 'Drivetrain'), item(11, 2, 'Sigma light', null)] },
  ],
  [
    '/functions/v1/service-due',
    {
      tasks: [
        task(20, 'Wipe chain', 1, { item_id: 10, item_name: 'KMC chain', state: 'due' }),
        task(21, 'Hub service', 2, { state: 'ok' }),
        task(22, 'New tape', 1, { item_id: 10, item_name: 'KMC chain', kind: 'replace', state: 'ok' }),
      ],
    },
  ],
]

function bike(gear_id: number, name: string) {
  return { gear_id, name, is_retired: false, list_order: gear_id }
}

function item(id: number, bikeId: number, name: string, type: string | null) {
  return { id, bikeId, name, type, part_id: id, dateStarted: '2024-01-01T01:00:00', dateEnded: null }
}

function task(id: number, name: string, gear_id: number, more: object) {
  return {
    id,
    name,
    gear_id,
    kind: 'service',
    part_id: null,
    item_id: null,
    item_name: null,
    group: null,
    ...more,
  }
}

beforeEach(() => window.history.replaceState(null, '', '/'))

/** Returns a store in which everything that the command menu lists is loaded, and what it sends after that. */
async function openMenu(hash = '') {
  window.history.replaceState(null, '', `/${hash}`)
  const { store, sent } = fakeStore(({ path }) =>
    Response.json(ANSWERS.find(([start]) => path.startsWith(start))?.[1] ?? []),
  )
  for (const resource of [bikesAtom, allItemsAtom, dueAtom]) store.sub(resource, () => undefined)
  store.sub(commandsAtom, () => undefined)
  await expect.poll(() => store.get(dueAtom).state).toBe('ready')
  await expect.poll(() => store.get(allItemsAtom).state).toBe('ready')
  return { store, sent }
}

type Menu = Awaited<ReturnType<typeof openMenu>>

const found = ({ store }: Menu, search: string) =>
  filterCommands(store.get(commandsAtom), search).flatMap(({ commands }) => commands)
const found1 = (menu: Menu, search: string) => {
  const [first] = found(menu, search)
  return first && [first.label, first.detail].filter(Boolean).join(' · ')
}

test.each([
  ['chain', 'KMC chain · Drivetrain · Domane · 01/01/2024'],
  ['kmc', 'KMC chain · Drivetrain · Domane · 01/01/2024'],
  ['sig', 'Sigma light · Surly · 01/01/2024'],
  ['domane', 'Domane'],
  ['wipe chain', 'Wipe chain · KMC chain, Domane'],
  ['hub service', 'Hub service · Surly'],
  ['new tape', 'New tape · KMC chain, Domane'],
])('Enter after the name %j opens %j, and changes nothing', async (search, first) => {
  const menu = await openMenu()
  expect(found1(menu, search)).toBe(first)
  menu.sent.length = 0
  found(menu, search)[0]!.run(menu.store.set)
  expect(menu.sent.filter(({ path }) => path === GATE)).toEqual([])
  expect(menu.store.get(addressAtom)['bike']).toMatch(/[12]/)
})

test('offers Done by the task’s name and the word, after everything that opens something', async () => {
  const menu = await openMenu()
  const done = (search: string) =>
    found(menu, search).flatMap(({ label }, index, all) =>
      /^(?:Done|Replace):/.test(label) ? [[label, all.length - index]] : [],
    )
  expect(done('domane')).toEqual([])
  expect(done('kmc')).toEqual([])
  expect(done('chain')).toEqual([['Done: Wipe chain', 1]])
  expect(found(menu, 'done wipe').map(({ label }) => label)).toEqual(['Done: Wipe chain'])
  // The word alone names a page first.
  expect(found1(menu, 'done')).toBe('Due')
})

test.each([
  ['', 'spending', 'Spending', '#garage&tab=spending'],
  ['', 'lifetimes', 'Lifetimes', '#garage&tab=lifetimes'],
  ['', 'due', 'Due', '#garage&section=Due'],
  ['', 'stored', 'Stored', '#garage&section=Stored'],
  ['', 'timeline', 'Timeline · Domane', '#bike=1&view=timeline'],
  ['', 'passport', 'Passport · Domane', '#bike=1&view=parts-list&detail=service'],
  ['', 'rides', 'Rides of all bikes', '#rides'],
  ['', 'rides surly', 'Rides · Surly', '#bike=2&tab=rides'],
  ['', 'measure', 'Measure KMC chain … · Domane', '#bike=1&item=10'],
  ['#bike=2', 'timeline', 'Timeline', '#bike=2&view=timeline'],
  ['#bike=2&view=timeline', 'log', 'Maintenance Log', '#bike=2'],
])('from %j, the word %j opens %j', async (hash, search, first, opened) => {
  const menu = await openMenu(hash)
  expect(found1(menu, search)).toBe(first)
  found(menu, search)[0]!.run(menu.store.set)
  expect(window.location.hash).toBe(opened)
})

test.each([
  ['what changed', 'What changed'],
  ['sync', 'What changed'],
  ['backup', 'Settings'],
  ['tokens', 'Settings'],
  ['ntfy', 'Notifications'],
  ['deleted', 'Trash'],
  ['add task', 'Add service task … · Domane'],
  ['time zone', 'Settings'],
  ['log out', 'Sign Out'],
  ['income', 'Spending'],
  ['receipts', 'Maintenance Log · Domane'],
])('the word %j finds %j first', async (search, first) => {
  expect(found1(await openMenu(), search)).toBe(first)
})
