import { expect, test } from 'vitest'

import { UNITS } from '../../lib/units.ts'
import { earlierWords, inAllWords, inclEarlier } from './earlier.ts'

const miles = 1_930_800
const both = { earlier_distance: miles, earlier_moving_time: 288_000 }

test('names what a part was ridden before the log', () => {
  expect(earlierWords(both, UNITS.miles)).toBe('1,200\u00A0mi, 80\u00A0h')
  expect(earlierWords({ ...both, earlier_moving_time: null }, UNITS.kilometers)).toBe('1,931\u00A0km')
  expect(earlierWords({ earlier_distance: null, earlier_moving_time: 0 }, UNITS.miles)).toBe('')
})

test('says which number includes it', () => {
  expect(inclEarlier(both, UNITS.miles)).toBe('incl. 1,200\u00A0mi, 80\u00A0h earlier')
  expect(inclEarlier(both, UNITS.miles, 'distance')).toBe('incl. 1,200\u00A0mi earlier')
  expect(inclEarlier({ ...both, earlier_moving_time: null }, UNITS.miles, 'moving_time')).toBe('')
  expect(inAllWords({ ...both, distance: 2 * miles }, UNITS.miles)).toBe(
    '2,400.0\u00A0mi in all, incl. 1,200\u00A0mi earlier',
  )
})
