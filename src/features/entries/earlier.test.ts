import { expect, test } from 'vitest'

import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import { formatEarlier, formatInAll, inclEarlier } from './earlier.ts'

const miles = 1_930_800
const both = { earlier_distance: miles, earlier_moving_time: 288_000 }

test('formats a part’s usage before the log', () => {
  expect(formatEarlier(both, US)).toBe('1,200\u00A0mi, 80\u00A0h')
  expect(formatEarlier({ ...both, earlier_moving_time: null }, KILOMETERS)).toBe('1,931\u00A0km')
  expect(formatEarlier({ earlier_distance: null, earlier_moving_time: 0 }, US)).toBe('')
})

test('shows the earlier usage that a number includes', () => {
  expect(inclEarlier(both, US)).toBe('incl. 1,200\u00A0mi, 80\u00A0h before this log')
  expect(inclEarlier(both, US, 'distance')).toBe('incl. 1,200\u00A0mi before this log')
  expect(inclEarlier({ ...both, earlier_moving_time: null }, US, 'moving_time')).toBe('')
  expect(formatInAll({ ...both, distance: 2 * miles }, US)).toBe(
    '2,400.0\u00A0mi total, incl. 1,200\u00A0mi before this log',
  )
})
