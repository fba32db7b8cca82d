import { afterEach, expect, test, vi } from 'vitest'
import { keepsLimits, parseReports, report } from './measure.ts'

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

test('reads the reports of a run by the headings and reports above them', () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  report('plain sum', 5.25, 'ms')
  report('usage', 21, 'ms')
  report('  against the plain sum', 4, '×', 8)
  report('spending', 10, 'ms')
  report('  against the plain sum', 9, '×', 8)
  const lines = log.mock.calls.map(([line]) => String(line))
  const output = ['', 'Logs: 10 rides', ...lines, 'Smaller logs', lines[1], 'note', ''].join('\n')
  expect([...parseReports(output)].map(([path, { value, unit }]) => [path, value, unit])).toEqual([
    ['Logs: 10 rides\nplain sum\nplain sum', 5.25, 'ms'],
    ['Logs: 10 rides\nusage\nusage', 21, 'ms'],
    ['Logs: 10 rides\nusage\nagainst the plain sum', 4, '×'],
    ['Logs: 10 rides\nspending\nspending', 10, 'ms'],
    ['Logs: 10 rides\nspending\nagainst the plain sum', 9, '×'],
    ['Smaller logs\nusage\nusage', 21, 'ms'],
  ])
})
