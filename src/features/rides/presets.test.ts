import { expect, test } from 'vitest'

import { presetOf, presetRanges, PRESETS } from './presets.ts'

test.each([
  ['2026-11-21', '2026-10-23', '2026-01-01', '2025-01-01', '2025-12-31'],
  ['2024-03-01', '2024-02-01', '2024-01-01', '2023-01-01', '2023-12-31'],
  ['2025-01-01', '2024-12-03', '2025-01-01', '2024-01-01', '2024-12-31'],
] as const)('on %s, the presets begin on the right days', (today, days, thisYear, lastYear, lastDay) => {
  expect(presetRanges(today)).toEqual({
    days: { from: days, to: null },
    'this-year': { from: thisYear, to: null },
    'last-year': { from: lastYear, to: lastDay },
    all: { from: '1990-01-01', to: null },
  })
})

test('recognizes each preset by its dates, and other dates as none', () => {
  const today = '2026-11-21'
  for (const { value } of PRESETS) expect(presetOf(presetRanges(today)[value], today)).toBe(value)
  expect(presetOf({ from: '2024-07-01', to: '2024-07-31' }, today)).toBeNull()
  expect(presetOf({ from: '2026-01-01', to: today }, today)).toBeNull()
})
