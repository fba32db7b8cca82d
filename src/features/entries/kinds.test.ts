import { expect, test } from 'vitest'

import type { KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import { isTireOf, wearUnitOf } from './kinds.ts'

test.each<[KindAndPosition['position'], KindAndPosition, boolean]>([
  [null, { kind: 'tire', position: 'front' }, true],
  ['both', { kind: 'tire', position: 'both' }, true],
  ['front', { kind: 'tire', position: 'front' }, true],
  ['front', { kind: 'tire', position: 'rear' }, false],
  ['rear', { kind: 'tire', position: 'both' }, true],
  ['rear', { kind: 'tire', position: null }, true],
  ['front', { kind: 'chain', position: null }, false],
  ['front', { kind: null, position: null }, false],
])('for a wheel at %s, %j is a matching tire: %s', (position, part, expected) => {
  expect(isTireOf({ kind: 'wheel', position }, part)).toBe(expected)
})

test.each([
  ['chain', 'chain %'],
  ['brake pads', 'pad mm'],
  ['tire', 'tread mm'],
  ['rotor', 'rotor mm'],
  ['saddle', null],
  [null, null],
] as const)('the wear of a %s is measured in %s', (kind, unit) => {
  expect(wearUnitOf(kind)).toBe(unit)
})
