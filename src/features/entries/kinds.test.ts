import { expect, test } from 'vitest'

import { isTireOf, kindOf, wearUnitOf } from './kinds.ts'

test.each([
  ['wheel', 'front tire', true],
  ['wheels', 'tires', true],
  ['front wheel', 'front tire', true],
  ['front wheel', 'rear tire', false],
  ['rear wheel', 'tires', true],
  [null, 'tire', true],
  ['wheel', 'chain', false],
  ['wheel', null, false],
])('for a %s, a %s is a matching tire: %s', (wheel, kind, expected) => {
  expect(isTireOf(wheel, kind)).toBe(expected)
})

test.each([
  ['chain', 'chain %'],
  ['front and rear brake pads', 'pad mm'],
  ['rear tire', 'tread mm'],
  ['rotor', 'rotor mm'],
  ['saddle', null],
  [null, null],
])('the wear of a %s is measured in %s', (kind, unit) => {
  expect(wearUnitOf(kind)).toBe(unit)
})

test('recognizes rotors by name', () => {
  expect(kindOf(null, { part_id: 1, name: 'SRAM Rotor 160' })).toBe('rotor')
  expect(kindOf(null, { part_id: 1, name: 'Saddle' })).toBeNull()
})
