import { expect, test } from 'vitest'

import { GERMAN, US } from '../../lib/fake-formats.ts'
import type { Formats } from '../../lib/formats.ts'
import type { Line } from '../../../supabase/functions/to-check/contract.ts'
import { messageOf } from '../../../supabase/functions/_shared/messages/check-messages.ts'
import { GROUPS, linksOf } from './check-links.ts'

const bikeName = (gearId: number) => ['', 'Blue Domane', 'Warbird'][gearId]!
/** Removes the invisible direction marks around names. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u00A0', ' ')
const say = (line: Line, formats: Formats = US) => {
  const { title, why } = messageOf(line, { formats, bikeName })
  return [plain(title), plain(why)]
}

const links = (line: Line) =>
  linksOf(line, 'https://rwgps.test', 1).map(({ href, isOutside }) => [href, isOutside])

const MILE = 1609
const ride = (id: number, name: string | null = 'Commute 511') => ({
  id,
  name,
  started_at: '2024-03-09T23:30:00',
})
const base = { key: 'x', rides: [ride(7)], items: [] }
const chains = [
  { id: 4, name: 'KMC X11 chain' },
  { id: 5, name: 'SRAM chain' },
]
const numbers = { ...base, gear_id: 1, value: 0, distance: 20 * MILE, duration: 3600, moving_time: 7200 }
const date = { ...base, kind: 'date', gear_id: 1, uploaded: null, is_ahead: false } as const
const gap: Extract<Line, { kind: 'no_part' | 'two_parts' }> = {
  ...base,
  rides: [],
  items: chains,
  kind: 'no_part',
  gear_id: 1,
  family: 'chain',
  positions: null,
  since: '2026-03-03',
  until: '2026-03-15',
  days: 12,
  ride_count: 3,
  distance: 84 * MILE,
}

const late = { until: '2024-12-01', last_ride: '2024-01-31', days: 305 } as const
const same: Extract<Line, { kind: 'same_ride' }> = {
  ...base,
  rides: [ride(7), ride(8, ' ')],
  kind: 'same_ride',
  gear_id: 1,
  overlap: 3480,
  shorter: 3660,
  apart: null,
  distance: 20 * MILE,
}

test.each<[title: string, why: string, line: Line]>([
  [
    '64 rides have no bike',
    'These 1,301.4 mi aren’t counted toward any part. 16 rides are on a bike that Ride with GPS never listed',
    { ...base, kind: 'no_bike', ride_count: 64, distance: 2_093_992, of_unlisted_gear: 16 },
  ],
  [
    '1 ride has no bike',
    'These 1.0 mi aren’t counted toward any part',
    { ...base, kind: 'no_bike', ride_count: 1, distance: MILE, of_unlisted_gear: 0 },
  ],
  [
    '1,412 rides are on Warbird',
    'Ride with GPS no longer lists this bike. 100.0 mi still count for it here',
    { ...base, kind: 'gone_bike', gear_id: 2, ride_count: 1412, distance: 100 * MILE },
  ],
  [
    '3 rides on Warbird after it was sold',
    'Sold on 03/01/2024: “Commute 511”, 03/09/2024 and 2 other rides. 60.0 mi count for the bike',
    { ...base, kind: 'sold_bike', gear_id: 2, ride_count: 3, distance: 60 * MILE, sold_on: '2024-03-01' },
  ],
  [
    '1 ride on Warbird after it was sold',
    'Sold on 03/01/2024: “Commute 511”, 03/09/2024. 20.0 mi count for the bike',
    { ...base, kind: 'sold_bike', gear_id: 2, ride_count: 1, distance: 20 * MILE, sold_on: '2024-03-01' },
  ],
  [
    '“Commute 511” is likely on the wrong bike',
    'Indoors on Warbird, 03/09/2024. The 20 indoor rides around it are on Blue Domane',
    { ...base, kind: 'wrong_bike', gear_id: 2, likely: 1, ride_count: 20 },
  ],
  [
    '“Commute 511” and Ride 8 overlap',
    '03/09/2024: 58 of 61 minutes overlap, so 20.0 mi may count twice',
    same,
  ],
  [
    '“Commute 511” and Ride 8 are likely the same ride',
    '03/09/2024: the same distance and moving time, 05:00:00 apart, so 20.0 mi may count twice',
    { ...same, overlap: 0, shorter: 0, apart: 18_000 },
  ],
  [
    '“Commute 511” and “Again” overlap',
    '03/09/2024: the same start',
    { ...same, rides: [ride(7), ride(8, 'Again')], overlap: 0, shorter: 0, distance: null },
  ],
  [
    '108.0 mph on “Commute 511”',
    'Blue Domane, 03/09/2024: faster than any ordinary descent, likely a GPS error',
    { ...numbers, kind: 'max_speed', value: 173.814 },
  ],
  [
    '50.0 mph on average on “Commute 511”',
    '03/09/2024: faster than the hour record, likely recorded in a car',
    { ...numbers, gear_id: null, kind: 'average_speed', value: 80.45 },
  ],
  [
    '“Commute 511” has a moving time longer than its duration',
    'Blue Domane, 03/09/2024: moving time 02:00:00, duration 01:00:00',
    { ...numbers, kind: 'moving_time' },
  ],
  [
    '1,000.0 mi on “Commute 511”',
    'Blue Domane, 03/09/2024: farther than anybody rides in a day',
    { ...numbers, kind: 'distance', distance: 1_609_000 },
  ],
  [
    '30:00:00 on “Commute 511”',
    'Blue Domane, 03/09/2024: 20.0 mi in that time; the device was likely left on',
    { ...numbers, kind: 'time', value: 108_000 },
  ],
  [
    '“Commute 511” has no distance',
    'Blue Domane, 03/09/2024: 02:00:00 counts toward its parts, but no distance does',
    { ...numbers, kind: 'no_distance' },
  ],
  ['“Commute 511” is dated 03/09/2024', 'It counts only from that day on', { ...date, is_ahead: true }],
  ['“Commute 511” is dated 03/09/2024', 'The device’s clock was likely wrong', date],
  [
    '“Commute 511” is dated 03/09/2024',
    'Uploaded on 10/25/2026, so the device’s clock was likely wrong',
    { ...date, uploaded: '2026-10-25' },
  ],
  [
    'Ride 77 was skipped',
    'Its moving time is unreadable. If the ride was synced earlier, its old values stay',
    { ...base, kind: 'skipped', ride_id: 77, field: 'moving_time' },
  ],
  [
    '2 rows of the ride list were skipped',
    'No readable ID, or too many to list here',
    { ...base, kind: 'skipped_others', ride_count: 2 },
  ],
  [
    'No chain on record: 12 days, 3 rides, 84 mi',
    'Blue Domane, 03/03/2026 – 03/15/2026: between “KMC X11 chain” and “SRAM chain”',
    gap,
  ],
  [
    'No front tire on record: 1 day, 1 ride, 8.4 mi',
    'Blue Domane, 03/03/2026 – 03/15/2026: between “KMC X11 chain” and “SRAM chain”',
    { ...gap, family: 'tire', positions: ['front'], days: 1, ride_count: 1, distance: 8.4 * MILE },
  ],
  [
    'Two chains at the same time: 12 days, 3 rides, 84 mi',
    'Blue Domane, 03/03/2026 – 03/15/2026: “KMC X11 chain” and “SRAM chain”',
    { ...gap, kind: 'two_parts' },
  ],
  [
    'Two chains at the same time: 12 days, 3 rides, 84 mi',
    'Blue Domane, since 03/03/2026: “KMC X11 chain” and “SRAM chain”',
    { ...gap, kind: 'two_parts', until: null },
  ],
  [
    'Two pairs of tires at the same time: 12 days, 3 rides, 84 mi',
    'Blue Domane, 03/03/2026 – 03/15/2026: “KMC X11 chain” and “SRAM chain”',
    { ...gap, kind: 'two_parts', family: 'tire', positions: ['front', 'rear'] },
  ],
  [
    '“KMC X11 chain” is still in use on Warbird',
    'Ride with GPS no longer lists this bike. Store or move its parts, or enter their end dates. If the bike has a new ID there, attach its log',
    { ...gap, kind: 'parts_in_use', gear_id: 2, item_count: 1 },
  ],
  [
    'Ride with GPS no longer lists Warbird',
    '42 log entries. If the bike has a new ID there, attach its log',
    { ...base, kind: 'gone_log', gear_id: 2, item_count: 42 },
  ],
  [
    '3 parts ended 305 days after the last ride',
    'Warbird: last ride 01/31/2024, end 12/01/2024',
    { ...gap, ...late, kind: 'late_end', gear_id: 2, item_count: 3 },
  ],
])('%s', (title, why, line) => {
  expect(say(line)).toEqual([title, why])
})

test('uses the owner’s formats', () => {
  expect(say(gap, GERMAN)[0]).toBe('No chain on record: 12 days, 3 rides, 135 km')
  const [title, why] = say({ ...numbers, kind: 'max_speed', value: 173.814 }, GERMAN)
  expect(title).toBe('173.8 km/h on “Commute 511”')
  expect(why).toMatch(/, \d\d\.\d\d\.\d{4}: faster/)
})

test('shortens long names, and isolates names that read from right to left', () => {
  const long = { ...numbers, kind: 'max_speed' as const, value: 150, rides: [ride(7, 'x'.repeat(200))] }
  expect(say(long)[0]).toBe(`93.2 mph on “${'x'.repeat(80)}…”`)
  const arabic = { ...long, rides: [ride(7, 'رحلة الصباح')] }
  expect(messageOf(arabic, { formats: US, bikeName }).title).toContain('\u2068“رحلة الصباح”\u2069')
})

test('links to the rides or log entries', () => {
  expect(links({ ...numbers, kind: 'max_speed', value: 150 })).toEqual([['https://rwgps.test/trips/7', true]])
  expect(links({ ...base, kind: 'skipped', ride_id: 77, field: 'distance' })).toEqual([
    ['https://rwgps.test/trips/77', true],
  ])
  expect(links(gap)).toEqual([
    ['#bike=1&item=4', false],
    ['#bike=1&item=5', false],
  ])
  expect(links({ ...base, kind: 'no_bike', ride_count: 1, distance: 0, of_unlisted_gear: 0 })).toEqual([
    ['#bike=1&tab=rides&gear=none', false],
  ])
  expect(linksOf({ ...base, kind: 'skipped_others', ride_count: 1 }, '', undefined)).toEqual([])
})

test('puts each kind in one group', () => {
  const kinds = GROUPS.flatMap((group) => group.kinds)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(kinds).toHaveLength(20)
})
