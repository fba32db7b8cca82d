import { expect, test } from 'vitest'

import { type Command, type CommandGroup, filterCommands } from './commands.ts'

const command = (label: string, detail?: string): Command => ({
  id: label,
  label,
  run: () => undefined,
  ...(detail !== undefined && { detail }),
})
const GROUPS: CommandGroup[] = [
  { heading: 'Bikes', commands: [command('Blue Domane'), command('Warbird')] },
  {
    heading: 'Log entries',
    isSearched: true,
    commands: [command('KMC chain', 'Drivetrain · Warbird · 05/10/2026'), command('Saddle', 'Blue Domane')],
  },
]
const labels = (search: string) =>
  filterCommands(GROUPS, search).flatMap(({ commands }) => commands.map(({ label }) => label))

test.each([
  ['', ['Blue Domane', 'Warbird']],
  ['  ', ['Blue Domane', 'Warbird']],
  ['domane', ['Blue Domane', 'Saddle']],
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
