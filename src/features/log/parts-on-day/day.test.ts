import { createStore } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'

import { dayAtom } from './day.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['', null, /^$/],
  ['&day=2024-02-29', '2024-02-29', /^$/],
  ['&day=2023-02-29', null, /no valid day/],
  ['&day=1899-12-31', null, /no valid day/],
  ['&day=yesterday', null, /no valid day/],
  ['&day=2099-01-01', '2099-01-01', /up to today/],
])('reads the day from #bike=1%s', (text, day, problem) => {
  vi.stubGlobal('window', { location: { hash: `#bike=1${text}` } })
  const chosen = createStore().get(dayAtom)
  expect(chosen.day).toBe(day)
  expect(chosen.problem ?? '').toMatch(problem)
})
