import assert from 'node:assert/strict'
import type { Facts, PartChange } from '../contracts/ride-changes.ts'
import type { Formats } from '../formats/formats.ts'
import { GERMAN, US } from '../formats/testing.ts'
import { type Context, deltaOf, differencesOf, reasonOf, summaryOf } from './ride-change-messages.ts'

const facts = (over: Partial<Facts> = {}): Facts => ({
  name: 'Gravel loop',
  gear_id: 1,
  started_at: '2026-05-01T20:05:09',
  time_zone: 'America/New_York',
  distance: 50_200.8,
  duration: 7300,
  moving_time: 7200,
  max_speed: 40,
  avg_speed: 25,
  avg_hr: 136,
  max_hr: null,
  avg_watts: null,
  max_watts: null,
  avg_cad: null,
  elevation_gain: 300,
  is_stationary: false,
  ...over,
})

const NAMES = new Map([
  [null, 'No bike'],
  [1, 'Gravel'],
  [2, 'Warbird'],
])
const context: Context = {
  formats: US,
  bikeName: (gear) => NAMES.get(gear)!,
}

const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ')

function changes(over: Partial<Facts>, formats: Formats = US): string[] {
  return differencesOf(facts(), facts(over), { ...context, formats }).map(({ label, before, after }) =>
    plain(`${label}: ${before} → ${after}`),
  )
}

Deno.test('names each field that changed, before and after', () => {
  assert.deepEqual(changes({}), [])
  assert.deepEqual(changes({ gear_id: 2, distance: 45_052 }), [
    'Bike: Gravel → Warbird',
    'Distance: 31.2 mi → 28.0 mi',
  ])
  const measures = { distance: 45_052, max_speed: null, elevation_gain: 310 }
  assert.deepEqual(changes({ ...measures, started_at: '2026-05-02T08:30:00' }, GERMAN), [
    'Start: 01.05.2026 8:05 PM → 02.05.2026 8:30 AM',
    'Distance: 50.2 km → 45.1 km',
    'Max Speed: 40.0 km/h → –',
    'Elev. Gain: 300 m → 310 m',
  ])
  assert.deepEqual(
    changes({ name: null, gear_id: null, started_at: '2026-05-02T08:30:00', is_stationary: true }),
    [
      'Name: Gravel loop → –',
      'Bike: Gravel → No bike',
      'Start: 05/01/2026 8:05 PM → 05/02/2026 8:30 AM',
      'Indoors: No → Yes',
    ],
  )
})

Deno.test('marks a change that rounding hides', () => {
  assert.deepEqual(changes({ distance: 50_201 }), ['Distance: 31.2 mi → 31.2 mi (rounded)'])
})

Deno.test('summarizes an added or removed ride', () => {
  assert.equal(plain(summaryOf(facts({ gear_id: null }), context)), 'No bike · 31.2 mi · 02:00:00')
})

const part = (before: Facts | null, after: Facts | null, over: Partial<PartChange> = {}): PartChange => ({
  part_id: 1,
  item_id: 1,
  gear_id: 1,
  type: 'Drivetrain',
  name: 'Chain',
  rides: 1,
  distance: -50_200.8,
  moving_time: -7200,
  ride: { ride_id: 1, before, after },
  counted_before: before?.gear_id === 1,
  counted_after: after?.gear_id === 1,
  ...over,
})

const REASONS: [Facts | null, Facts | null, Partial<PartChange>, string][] = [
  [facts(), facts({ gear_id: 2 }), {}, 'moved to Warbird'],
  [facts({ gear_id: 2 }), facts(), {}, 'moved from Warbird'],
  [facts({ gear_id: null }), facts(), {}, 'moved to Gravel'],
  [facts(), facts({ gear_id: null }), {}, 'no longer has a bike'],
  [facts(), null, { rides: 2 }, 'was removed, and 1 more ride'],
  [null, facts(), { rides: 1234 }, 'was added, and 1,233 more rides'],
  [facts(), facts({ distance: 45_052 }), {}, 'is now 28.0 mi long, not 31.2 mi'],
  [facts(), facts({ moving_time: 7260 }), {}, 'is now 02:01:00 long, not 02:00:00'],
  [
    facts(),
    facts({ started_at: '2026-06-01T08:00:00' }),
    { counted_after: false },
    'now starts 06/01/2026 8:00 AM',
  ],
]
for (const [before, after, over, reason] of REASONS) {
  Deno.test(`says why a part’s miles changed: it ${reason}`, () => {
    assert.equal(plain(reasonOf(part(before, after, over), context)), reason)
  })
}

Deno.test('shows a part’s change in miles, or in time if the miles did not change', () => {
  assert.equal(plain(deltaOf(part(null, null), context)), '−31.2 mi')
  assert.equal(plain(deltaOf(part(null, null, { distance: 45_052 }), context)), '+28.0 mi')
  assert.equal(deltaOf(part(null, null, { distance: 0, moving_time: -60 }), context), '−00:01:00')
})
