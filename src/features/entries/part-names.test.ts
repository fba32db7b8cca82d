import { expect, test } from 'vitest'

import { likeness } from './part-names.ts'

test.each([
  ['KMC X11 chain', 'kmc x11  CHAIN', 1],
  ['GP 5000, front', 'GP 5000 S, front', 3 / 4],
  ['GP 5000, front', 'GP 5000 S, rear', 2 / 5],
  ['Chain', 'Cassette', 0],
  ['Кассета Shimano', 'кассета', 1 / 2],
  ['–', '–', 0],
])('compares the words of %j and %j', (one, other, share) => {
  expect(likeness(one, other)).toBe(share)
  expect(likeness(other, one)).toBe(share)
})
