import { expect, test } from 'vitest'

import { type AppError, messageFor } from './errors.ts'
import { fakeStore } from './fake-backend.ts'
import { backendAtom } from './backend.ts'
import { callSql } from './functions.ts'

const refusal = (message: string) => Response.json({ code: '23514', message }, { status: 400 })

test.each([
  [
    'new row for relation "maintenance" violates check constraint "maintenance_ends_after_start_check"',
    'The end is before the start.',
  ],
  ['value violates check constraint "from_a_later_version_check"', 'A value is invalid.'],
])('says what a violated check means: %s', async (message, shown) => {
  const { store } = fakeStore(() => refusal(message))
  const error = await callSql(store.get(backendAtom).client, 'time_zone', undefined as never).catch(
    (cause: unknown) => cause as AppError,
  )
  expect(messageFor(error as AppError)).toBe(shown)
})
