import { expect, test } from 'vitest'

import { AppError } from '../../lib/errors.ts'
import { restoreFailure } from './atoms.ts'

test.each([
  [
    'RMT10',
    'This part was on Road from 01/01/2024 to 02/01/2024. Choose another day.',
    'This part was on Road from 01/01/2024 to 02/01/2024.',
  ],
  ['RMT30', '', 'It happened more than 30 days ago.'],
  ['23503', '', 'Its bike is no longer in the tracker.'],
  ['network', '', 'The tracker cannot be reached. Check your connection and try again.'],
])('%s has a message', (code, message, shown) => {
  expect(restoreFailure(new AppError(code, message))).toBe(shown)
})
