import { expect, test } from 'vitest'

import { fold, matcher } from './search.ts'

const finds = (search: string, name: string) => matcher(search)(fold(name))

test.each([
  ['', 'Morning Ride', true],
  ['   ', '', true],
  ['ning r', 'Morning Ride', true],
  ['RIDE morning', 'Morning Ride', true],
  ['ride evening', 'Morning Ride', false],
  ['cafe', 'Café run', true],
  ['Café', 'cafe run', true],
  ['100%', 'All of 100% done', true],
  ['.*', 'Morning Ride', false],
  ['x', '', false],
])('%j matches %j: %s', (search, name, expected) => {
  expect(finds(search, name)).toBe(expected)
})
