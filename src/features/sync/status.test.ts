import { expect, test } from 'vitest'

import { US } from '../../lib/fake-formats.ts'
import type { SyncResult } from './api.ts'
import { problemOf, skippedRowsOf, statusLines as structuredLines } from './status.ts'

const counts = { fetched: 1396, added: 2, changed: 0, removed: 1, skipped: 0, pending_removals: 0 }
const ok = { id: 1, finished_at: '2026-11-20T10:00:00Z', ...counts, skipped_rows: '', mismatch: null }

const statusLines = (shown: Parameters<typeof structuredLines>[0]) =>
  structuredLines(shown, US).map(({ when = '', text }) => when + text)

const lines = (over: Partial<SyncResult> = {}) => statusLines({ running: null, lastOk: { ...ok, ...over } })

test.each([
  [0, null, 'Updating…'],
  [1000, null, 'Updating: 1,000 rides so far'],
  [1000, 5432, 'Updating: 1,000 of 5,432 rides'],
  // The list is longer than the server's count.
  [1000, 200, 'Updating: 1,000 rides so far'],
])('shows the progress of a running sync: %d rides of %d', (fetched, list_count, line) => {
  expect(statusLines({ running: { fetched, list_count }, lastOk: ok })).toEqual([line])
})

test('shows when the last sync was and what it changed', () => {
  expect(lines()).toEqual([
    expect.stringMatching(/^Synced Nov \d+, 2026, \d+:00\s[AP]M: 1,396 rides, 2 new, 1 removed$/),
  ])
  expect(lines({ fetched: 1, added: 0, removed: 0 })[0]).toMatch(/: 1 ride, nothing new$/)
  expect(lines({ fetched: 230, added: 0, removed: 0, skipped: 30 })[0]).toMatch(/: 230 rides, 30 skipped$/)
})

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [59 * 60, '59 min ago'],
  [3600, '1 h ago'],
  [24 * 3600 - 1, '23 h ago'],
  [24 * 3600, expect.stringMatching(/^Nov \d+, 2026/)],
  // The browser's clock may be behind.
  [-90, 'just now'],
])('shows when Ride with GPS was last reached, %d seconds ago', (seconds, when) => {
  const checked_at = '2026-11-20T11:30:00Z'
  const now = Date.parse(checked_at) + seconds * 1000
  const [line] = structuredLines({ running: null, lastOk: { ...ok, checked_at } }, US, now)
  expect(line).toMatchObject({ text: ': 1,396 rides, 2 new, 1 removed' })
  expect(line?.when?.replace('Synced ', '')).toEqual(when)
})

test('says when rides were last updated while syncs fail', () => {
  const lastOk = { ...ok, finished_at: new Date().toISOString() }
  expect(statusLines({ running: null, lastOk, isFailing: true })).toEqual([
    expect.stringMatching(/^Last synced \w+ \d+, \d+, \d+:\d+\s[AP]M: 1,396 rides, 2 new, 1 removed$/),
  ])
})

test('says that rides have not been updated yet', () => {
  expect(statusLines({ running: null, lastOk: null })).toEqual(['Rides have not been updated yet'])
})

test.each([
  [
    { pending_removals: 1180, mismatch: 'many_missing' },
    '1,180 rides are missing from the Ride with GPS list. That many missing rides may be an error, so they are kept until a sync at least 50 minutes later doesn’t find them either.',
  ],
  [
    { pending_removals: 3, mismatch: 'empty_list' },
    '3 rides are missing from the Ride with GPS list. The list is empty, which may be an error, so they are kept until a sync at least 50 minutes later doesn’t find them either.',
  ],
  [
    { pending_removals: 1, mismatch: 'unreadable_count' },
    '1 ride is missing from the Ride with GPS list. The list has no readable ride count, so it is kept until a sync at least 50 minutes later doesn’t find it either.',
  ],
  [
    { pending_removals: 2, mismatch: 'wrong_count' },
    '2 rides are missing from the Ride with GPS list. The ride count of the list does not match its rides, so they are kept.',
  ],
  [
    { pending_removals: 1, mismatch: 'rows_without_id' },
    '1 ride is missing from the Ride with GPS list. Some rows of the list have no readable ID, so it is kept.',
  ],
])('explains why missing rides are kept: %j', (over, line) => {
  expect(lines(over)).toEqual([expect.stringMatching(/^Synced/), line])
})

test('warns that the list and its count disagree even if no ride is missing', () => {
  expect(lines({ mismatch: 'wrong_count' })).toEqual([
    expect.stringMatching(/^Synced/),
    'The ride count of the list does not match its rides, so some rides may be missing.',
  ])
})

const problem = (
  code: 'rwgps_unauthorized' | 'rwgps_other_account' | null,
  config = {},
  didNotStart = false,
) => problemOf({ problem: code && { id: 2, code }, didNotStart, config })

test('says how the owner can fix a lasting failure', () => {
  expect(problem(null)).toBeNull()
  expect(problem('rwgps_other_account')).toMatch(/^Not updated: .*TRACKER_DATA_DIR.*“npm run switch-account”/)
  expect(problem('rwgps_unauthorized')).toBe('Ride with GPS refused the sign-in. Run “npm run connect”.')
  expect(problem('rwgps_unauthorized', { isPackage: true })).toMatch(/Run the tracker’s “connect” command\.$/)
})

test('on a hosted project, suggests fixes that work there', () => {
  const isHosted = { isHosted: true }
  const otherAccount = problem('rwgps_other_account', isHosted)
  expect(otherAccount).toMatch(/^Not updated: .*“select public\.switch_rwgps_account\(\)” in the SQL editor/)
  expect(otherAccount).not.toMatch(/npm|TRACKER_DATA_DIR/)
  expect(problem('rwgps_unauthorized', isHosted)).toMatch(/refused the sign-in\. .*under Edge Functions/)
  expect(problem('rwgps_unauthorized', isHosted)).not.toMatch(/np[mx]/)
  expect(problem(null, isHosted, true)).toMatch(
    /^Not updated: the function “update-rides” did not start\. .*Edge Functions/,
  )
  expect(problem(null, {}, true)).toBeNull()
})

test('identifies skipped rows by their ride ID or their place in the list', () => {
  expect(skippedRowsOf({ skipped_rows: '4846394 distance\n7 moving_time\n#17 id\n#18 row' })).toEqual([
    { id: '4846394', text: 'unreadable distance' },
    { id: '7', text: 'unreadable moving time' },
    { id: null, text: 'Row 17 of the list: unreadable ID' },
    { id: null, text: 'Row 18 of the list: unreadable ID' },
  ])
  expect(skippedRowsOf({ skipped_rows: '' })).toEqual([])
})
