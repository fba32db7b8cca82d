import assert from 'node:assert/strict'
import { trip } from './testing.ts'
import { createTimeZones } from './time-zone.ts'
import { readTripPage } from './trip-page.ts'

function read(body: unknown, offset = 0) {
  return readTripPage({ found: true, body }, offset, createTimeZones(), 'Europe/Paris')
}

const readNothing = (offset: number) => readTripPage({ found: false }, offset, createTimeZones(), null)

function readAll(body: unknown) {
  const page = read(body)
  assert.ok(page.ok)
  return page.value
}

function readOne(over: object) {
  const page = readAll([trip(over)])
  return page.rides[0]
}

Deno.test('a trip becomes a row of exactly the columns that are stored', () => {
  assert.deepEqual(readOne({ shoe_size: 44 }), {
    id: 4846394,
    name: 'Round the lake',
    gear_id: 2527457,
    created_at: '2026-02-18T04:09:43.000Z',
    departed_at: '2026-02-17T23:27:00.000Z',
    updated_at: '2026-02-18T04:10:59.000Z',
    time_zone: 'America/New_York',
    distance: 46699.4,
    duration: 16844,
    moving_time: 10461,
    max_speed: 42.326,
    avg_speed: 16.0709,
    avg_hr: 136,
    max_hr: 178,
    avg_watts: 209.939,
    max_watts: null,
    avg_cad: null,
    elevation_gain: 686.459,
    highlighted_photo_id: null,
    is_stationary: false,
    has_map: true,
  })
})

Deno.test('a trip needs no more than its id', () => {
  const ride = readAll([{ id: 1 }]).rides[0]
  assert.equal(ride?.time_zone, 'Europe/Paris')
  const { id: _, time_zone: __, ...rest } = ride
  assert.deepEqual(new Set(Object.values(rest)), new Set([null, false]))
})

Deno.test('both shapes of a list are read, and a count that is none is as good as absent', () => {
  const results = [trip()]
  const shapes: [body: unknown, total: number | null][] = [
    [{ results, results_count: 3108, more: 1 }, 3108],
    [{ results, results_count: null }, null],
    [{ results, results_count: '3108' }, null],
    [{ results, results_count: -1 }, null],
    [{ results }, null],
    [results, null],
  ]
  for (const [body, total] of shapes) {
    const page = readAll(body)
    assert.deepEqual([page.rows, page.total, page.rides.length], [1, total, 1])
  }
})

for (const body of [
  null,
  {},
  'x',
  7,
  { results: {} },
  { results: null },
  { error: 'Unable to authenticate' },
]) {
  Deno.test(`${JSON.stringify(body)} is no list`, () => {
    assert.deepEqual(read(body), { ok: false, code: 'rwgps_bad_answer' })
  })
}

Deno.test('nothing at the address is the end of the list, but never its beginning', () => {
  assert.deepEqual(readNothing(0), { ok: false, code: 'rwgps_bad_answer' })
  assert.deepEqual(readNothing(20), {
    ok: true,
    value: { rows: 0, total: null, rides: [], unreadable: [], nameless: 0, faultyFields: [] },
  })
})

Deno.test('durations are seconds or a clock time whose hours pass 99', () => {
  assert.equal(readOne({ duration: '100:30:52' })?.duration, 361852)
  assert.equal(readOne({ moving_time: '00:59:07' })?.moving_time, 3547)
  assert.equal(readOne({ duration: 59.6 })?.duration, 60)
})

Deno.test('a zone is the trip’s own, its Rails name, the rider’s, and UTC at last', () => {
  assert.equal(readOne({ time_zone: 'London' })?.time_zone, 'Europe/London')
  for (const time_zone of ['Middle-earth', null, undefined]) {
    assert.equal(readOne({ time_zone })?.time_zone, 'Europe/Paris')
  }
  const homeless = readTripPage({ found: true, body: [trip({ time_zone: '?' })] }, 0, createTimeZones(), null)
  assert.equal(homeless.ok && homeless.value.rides[0]?.time_zone, 'UTC')
})

Deno.test('moments keep their instant, whatever offset they are told with', () => {
  assert.equal(readOne({ departed_at: '2013-07-28T10:04:51+01:00' })?.departed_at, '2013-07-28T09:04:51.000Z')
  assert.equal(readOne({ departed_at: null })?.departed_at, null)
})

Deno.test('a map exists for a track alone: not on a trainer, not by hand, not without a first point', () => {
  assert.equal(readOne({ is_stationary: true })?.has_map, false)
  assert.equal(readOne({ is_gps: false })?.has_map, false)
  assert.equal(readOne({ first_lat: null })?.has_map, false)
  assert.equal(readOne({ first_lat: 0 })?.has_map, true)
})

Deno.test('a photo is kept by its id', () => {
  assert.equal(readOne({ highlighted_photo_id: 99 })?.highlighted_photo_id, 99)
})

Deno.test('characters that the database cannot hold are dropped from a name, and the others kept', () => {
  assert.equal(readOne({ name: 'a\0b \ud83d Zürich 🚲' })?.name, 'ab \ufffd Zürich 🚲')
})

const broken: object[] = [
  { distance: '46699.4' },
  { distance: -1 },
  { distance: 1e12 },
  { distance: Infinity },
  { duration: -1 },
  { duration: '1:2:3' },
  { duration: 'P1D' },
  { moving_time: -0.6 },
  { moving_time: 3e9 },
  { avg_hr: {} },
  { max_speed: Infinity },
  { gear_id: 'blue' },
  { gear_id: 1.5 },
  { name: 7 },
  { departed_at: 'yesterday' },
  { departed_at: '2026-02-17T23:27:00' },
  { departed_at: 1771370820 },
  { created_at: '2026-13-01T00:00:00Z' },
  { is_stationary: 'no' },
  { highlighted_photo_id: '5' },
]
for (const over of broken) {
  Deno.test(`a trip with ${Object.entries(over)[0]?.join(' ')} is set aside by its id, its neighbours land`, () => {
    const page = readAll([trip({ id: 1 }), trip({ id: 2, ...over }), trip({ id: 3 })])
    assert.deepEqual(
      [page.rides.map((ride) => ride.id), page.unreadable, page.nameless, page.rows],
      [[1, 3], [2], 0, 3],
    )
  })
}

Deno.test('rows without an id are counted', () => {
  const page = readAll([null, 7, 'x', [], {}, { id: null }, { id: '5' }, { id: 0 }, { id: 1e300 }, trip()])
  assert.deepEqual([page.rides.length, page.unreadable, page.nameless, page.rows], [1, [], 9, 10])
})
