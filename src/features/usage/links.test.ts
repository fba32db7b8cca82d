import { expect, test } from 'vitest'

import { readUseOf, ridesBehindHref } from './links.ts'

const addressOf = (href: string) => Object.fromEntries(new URLSearchParams(href.slice(1)))

test.each([12, 'all'] as const)('what a link to the rides of %s says is read back', (of) => {
  const address = addressOf(ridesBehindHref(7, of))
  expect(address).toEqual({ bike: '7', tab: 'rides', use: String(of) })
  expect(readUseOf(address)).toBe(of)
})

test.each(['', '0', '-1', '1.5', '1e3', 'none', '99999999999999999999', '<script>'])(
  'an address that asks for %j asks for nothing',
  (use) => {
    expect(readUseOf({ use })).toBeNull()
    expect(readUseOf({})).toBeNull()
  },
)
