import { afterEach, expect, test, vi } from 'vitest'
import { keepsLimits, report } from './measure.ts'

afterEach(() => vi.restoreAllMocks())

const fine = [1.3, 100]
const slow = [1.4, 100]
const large = [1.3, 134]

test.each([
  ['once if no limit is exceeded by more than a third', [fine], true],
  ['until the same limit is exceeded by more than a third twice', [slow, slow], false],
  ['three times if it was exceeded once', [slow, fine, fine], true],
  ['three times if it is exceeded in the first and last run', [slow, fine, slow], false],
  ['three times if different limits are exceeded', [slow, large, fine], true],
])('runs a benchmark %s', async (_title, runs, expected) => {
  vi.spyOn(console, 'log').mockReturnValue()
  const left = [...runs]
  const kept = await keepsLimits(() => {
    const [ratio, size] = left.shift()!
    report('ratio', ratio!, '×', 1)
    report('no limit', 1000, 'ms')
    report('size', size!, 'MB', 100)
  })
  expect(kept).toBe(expected)
  expect(left).toEqual([])
})
