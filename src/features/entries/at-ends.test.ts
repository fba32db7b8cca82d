import { expect, test } from 'vitest'

import { US } from '../../lib/fake-formats.ts'
import { formatAtEnds } from './at-ends.ts'

const miles = (count: number) => ({ rides: 1, distance: count * 1609, moving_time: 1 })

test.each([
  [{ rear: miles(792.3), front: miles(1204.6) }, ['1,204.6 mi front', '792.3 mi rear']],
  [{ both: miles(10), front: miles(0) }, ['0.0 mi front', '10.0 mi front and rear']],
  [{ rear: miles(5) }, []],
  [{}, []],
  // A kind without ends, and an answer that an earlier version cached.
  [null, []],
  [undefined, []],
])('lists a part’s miles where it was: %j', (by, texts) => {
  expect(formatAtEnds(by, US).map((text) => text.replace('\u00a0', ' '))).toEqual(texts)
})
