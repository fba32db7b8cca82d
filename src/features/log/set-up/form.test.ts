import { expect, test } from 'vitest'

import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import { proposeKind } from '../../../../supabase/functions/_shared/parts/propose.ts'
import { KILOMETERS, US } from '../../../lib/fake-formats.ts'
import { lineOf, readLine } from './form.ts'
import { isInPlaceOf, USUAL_PARTS } from './usual-parts.ts'

const part = (name: string) => USUAL_PARTS.find((usual) => usual.name === name)!
const chain = part('Chain')
const line = lineOf(chain, '2020-03-01', [], US)

test('offers the parts that every bike has, with suitable tasks', () => {
  expect(USUAL_PARTS.filter(({ isTicked }) => isTicked).map(({ name }) => name)).toEqual([
    'Chain',
    'Cassette',
    'Front tire',
    'Rear tire',
    'Front brake pads',
    'Rear brake pads',
  ])
  for (const { tasks, ticked } of USUAL_PARTS) {
    const names = tasks.map((task) => task.name)
    expect(names).toEqual(expect.arrayContaining([...ticked]))
  }
  expect(chain.tasks.map(({ name }) => name)).toContain('Wax chain')
  expect(part('Front brake pads').tasks.map(({ name }) => name)).toEqual(['Check brake pads'])
})

test.each(USUAL_PARTS)('$name is what its name and type propose', ({ name, type, kind, position }) => {
  expect(proposeKind({ name, type, earlier: [] })).toEqual({ kind, position })
})

test.each<[type: string, on: Partial<KindAndPosition>, name: string, isInPlace: boolean]>([
  ['Drivetrain', { kind: 'chain' }, 'Chain', true],
  ['Drivetrain', { kind: 'cassette' }, 'Chain', false],
  ['Drivetrain', {}, 'Chain', true],
  ['Tires', {}, 'Chain', false],
  ['Tires', { kind: 'tire', position: 'both' }, 'Front tire', true],
  ['Tires', { kind: 'tire' }, 'Rear tire', true],
  ['Tires', { kind: 'tire', position: 'front' }, 'Rear tire', false],
  ['Brakes', { kind: 'brake pads', position: 'both' }, 'Rear brake pads', true],
  ['Brakes', { kind: 'brake pads', position: 'rear' }, 'Front brake pads', false],
  ['Wheels', { kind: 'wheel', position: 'front' }, 'Wheels', true],
  ['Handlebar', {}, 'Bar tape', true],
  ['Handlebar', { kind: 'stem' }, 'Bar tape', false],
])('a %s part, %j, may be the %s: %s', (type, { kind = null, position = null }, name, isInPlace) => {
  const on = { type, kind, position }
  expect(isInPlaceOf(on, part(name))).toBe(isInPlace)
  expect(lineOf(part(name), '2020-03-01', [on], US).isTicked).toBe(part(name).isTicked && !isInPlace)
})

test('reads a line as a part with its ticked tasks', () => {
  const typed = { ...line, name: ' KMC X11 ', cost: '$45.50', earlier: '1,200', tasks: ['Wax chain'] }
  expect(readLine(chain, typed, '2020-03-01', US)).toEqual({
    part: {
      type: 'Drivetrain',
      kind: 'chain',
      position: null,
      name: 'KMC X11',
      cost: 45.5,
      day: '2020-03-01',
      earlier_distance: 1_930_800,
      count_from: 'installed',
      tasks: [{ name: 'Wax chain', kind: 'service', every_distance: 482_700 }],
    },
    problems: {},
  })
  expect(readLine(chain, typed, '2020-03-01', KILOMETERS).part.earlier_distance).toBe(1_200_000)
  expect(readLine(chain, line, '2020-03-01', US).part).toMatchObject({
    cost: 0,
    earlier_distance: null,
    count_from: null,
  })
  expect(readLine(chain, { ...line, start: '05/01/2020' }, '2020-03-01', US).part.count_from).toBe(
    'installed',
  )
})

test.each([
  ['name', ' '],
  ['start', 'someday'],
  ['cost', 'a lot'],
  ['earlier', '-5'],
] as const)('rejects the %s %j', (field, text) => {
  expect(Object.keys(readLine(chain, { ...line, [field]: text }, '2020-03-01', US).problems)).toEqual([field])
})
