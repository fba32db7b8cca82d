import { expect, test } from 'vitest'

import { allRidesHref, drillDownHref, drillDownOf } from './links.ts'

const addressOf = (href: string) => Object.fromEntries(new URLSearchParams(href.slice(1)))

test.each([12, 'all'] as const)('reads back its own link to the rides of %s', (target) => {
  const address = addressOf(drillDownHref(7, target))
  expect(address).toEqual({ bike: '7', tab: 'rides', use: String(target) })
  expect(drillDownOf(address)).toBe(target)
})

test('links to rides keep the order of the ride list', () => {
  expect(addressOf(drillDownHref(7, 12, '-date'))).toEqual({
    bike: '7',
    tab: 'rides',
    use: '12',
    sort: '-date',
  })
  expect(addressOf(allRidesHref(7, '-date'))).toEqual({ bike: '7', tab: 'rides', sort: '-date' })
})

test.each(['', '0', '-1', '1.5', '1e3', 'none', '99999999999999999999', '<script>'])(
  'ignores %j in the address',
  (use) => {
    expect(drillDownOf({ use })).toBeNull()
    expect(drillDownOf({})).toBeNull()
  },
)
