import { expect, test } from 'vitest'

import { UNITS } from '../../lib/units.ts'
import { formatEarlier, formatInAll, inclEarlier } from './earlier.ts'

const miles = 1_930_800
const both = { earlier_distance: miles, earlier_moving_time: 288_000 }

test('formats a part’s usage before the log', () => {
  expect(formatEarlier(both, UNITS.miles)).toBe('1,200\u00A0mi, 80\u00A0h')
  expect(formatEarlier({ ...both, earlier_moving_time: null }, UNITS.kilometers)).toBe('1,931\u00A0km')
  expect(formatEarlier({ earlier_distance: null, earlier_moving_time: 0 }, UNITS.miles)).toBe('')
})

test('shows the earlier usage that a number includes', () => {
  expect(inclEarlier(both, UNITS.miles)).toBe('incl. 1,200\u00A0mi, 80\u00A0h before this log')
  expect(inclEarlier(both, UNITS.miles, 'distance')).toBe('incl. 1,200\u00A0mi before this log')
  expect(inclEarlier({ ...both, earlier_moving_time: null }, UNITS.miles, 'moving_time')).toBe('')
  expect(formatInAll({ ...both, distance: 2 * miles }, UNITS.miles)).toBe(
    '2,400.0\u00A0mi total, incl. 1,200\u00A0mi before this log',
  )
})
