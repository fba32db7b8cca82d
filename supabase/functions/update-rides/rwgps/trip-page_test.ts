import assert from 'node:assert/strict'
import { trip } from './testing.ts'
import { createTimeZones } from './time-zone.ts'
import { FIELDS, readTripPage } from './trip-page.ts'

function read(body: unknown, offset = 0) {
  return readTripPage({ found: true, body }, offset, createTimeZones())
}

const readNotFound = (offset: number) => readTripPage({ found: false }, offset, createTimeZones())

function readAll(body: unknown) {
  const page = read(body)
  assert.ok(page.ok)
  return page.value
}

function readOne(over: object) {
  const page = readAll([trip(over)])
  return page.rows[0]?.ride
}

Deno.test('a trip becomes a row with exactly the stored columns', () => {
  assert.deepEqual(readOne({ shoe_size: 44 }), {
    id: 4846394,
    name: 'Round the lake',
    gear_id: 2527457,
    created_at: '2026-02-18T04:09:43Z',
    departed_at: '2026-02-17T23:27:00Z',
    updated_at: '2026-02-18T04:10:59Z',
    time_zone: 'America/New_York',
    distance: 46699.4,
    duration: 16844,
    moving_time: 10461,
    max_speed: 42.326,
    avg_speed: 16.0709,
    avg_hr: 136,
    max_hr: 178,
    avg_watts: 209.939,
    max_watts: undefined,
    avg_cad: undefined,
    elevation_gain: 686.459,
    highlighted_photo_id: undefined,
    is_stationary: false,
    has_map: true,
  })
})

Deno.test('a trip only needs an id', () => {
  const ride = readAll([{ id: 1 }]).rows[0]?.ride
  assert.deepEqual(JSON.parse(JSON.stringify(ride)), { id: 1, is_stationary: false, has_map: false })
})

Deno.test('reads a list with or without a count; a count that is not a number is unreadable', () => {
  const results = [trip()]
  const shapes: [body: unknown, total: unknown][] = [
    [{ results, results_count: 3108, more: 1 }, 3108],
    [{ results, results_count: null }, 'unreadable'],
    [{ results, results_count: '3108' }, 'unreadable'],
    [{ results, results_count: -1 }, 'unreadable'],
    [{ results }, 'unreadable'],
    [results, null],
  ]
  for (const [body, total] of shapes) {
    const page = readAll(body)
    assert.deepEqual([page.rows.length, page.total], [1, total])
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
  Deno.test(`${JSON.stringify(body)} is not a list`, () => {
    assert.deepEqual(read(body), { ok: false, code: 'rwgps_bad_answer' })
  })
}

Deno.test('404 ends the list, but is an error on the first page', () => {
  assert.deepEqual(readNotFound(0), { ok: false, code: 'rwgps_bad_answer' })
  const end = readNotFound(20)
  assert.ok(end.ok)
  assert.deepEqual(end.value, { rows: [], total: null })
})

Deno.test('durations are seconds or a clock time with more than 99 hours', () => {
  assert.equal(readOne({ duration: '100:30:52' })?.duration, 361852)
  assert.equal(readOne({ moving_time: '00:59:07' })?.moving_time, 3547)
  assert.equal(readOne({ duration: 59.6 })?.duration, 60)
})

Deno.test('reads an IANA or Rails time zone', () => {
  assert.equal(readOne({ time_zone: 'London' })?.time_zone, 'Europe/London')
  for (const time_zone of ['Middle-earth', null, undefined, 7])
    assert.equal(readOne({ time_zone })?.time_zone, undefined)
})

Deno.test('timestamps keep their instant, whatever their offset', () => {
  assert.equal(readOne({ departed_at: '2013-07-28T10:04:51+01:00' })?.departed_at, '2013-07-28T09:04:51.000Z')
  assert.equal(readOne({ departed_at: '2024-02-29T23:30:00-08:00' })?.departed_at, '2024-03-01T07:30:00.000Z')
  assert.equal(readOne({ departed_at: '2024-03-01T20:30:00+23:00' })?.departed_at, '2024-02-29T21:30:00.000Z')
  assert.equal(readOne({ departed_at: null })?.departed_at, undefined)
})

Deno.test('only a track has a map: not a trainer ride, a manual entry or a trip without a first point', () => {
  assert.equal(readOne({ is_stationary: true })?.has_map, false)
  assert.equal(readOne({ is_gps: false })?.has_map, false)
  assert.equal(readOne({ first_lat: null })?.has_map, false)
  assert.equal(readOne({ first_lat: 0 })?.has_map, true)
})

Deno.test('stores the photo id', () => {
  assert.equal(readOne({ highlighted_photo_id: 99 })?.highlighted_photo_id, 99)
})

Deno.test('removes characters from a name that the database cannot store', () => {
  assert.equal(readOne({ name: 'a\0b \ud83d Zürich 🚲' })?.name, 'ab \ufffd Zürich 🚲')
})

const each = (field: string, ...values: unknown[]) => values.map((value) => ({ [field]: value }))

const unreadable: object[] = [
  ...each('distance', '46699.4', -1, 1e12, Infinity),
  ...each('moving_time', -0.6, 3e9, '1:2:3', 'P1D'),
  ...each('departed_at', 'yesterday', '2026-02-17T23:27:00', 1771370820),
  ...each('departed_at', '2024-02-30T10:00:00Z', '2023-02-29T10:00:00+02:00', '2024-04-31T10:00:00Z'),
  // In the ride's local time, the first of these is in 1 BC.
  ...each('departed_at', '0001-01-01T00:00:00Z', '1899-12-31T23:59:59Z', '2101-01-01T00:00:00Z'),
  // Usage falls back to these fields.
  { duration: -1, moving_time: null },
  { created_at: '2024-02-30T10:00:00Z', departed_at: null },
  { created_at: '2026-13-01T00:00:00Z', departed_at: null },
]
for (const over of unreadable) {
  const [field, value] = Object.entries(over)[0] ?? []
  Deno.test(`skips only the trip with ${field} ${value}`, () => {
    const page = readAll([trip({ id: 1 }), trip({ id: 2, ...over }), trip({ id: 3 })])
    assert.deepEqual(
      page.rows.map(({ ride }) => ride?.id),
      [1, undefined, 3],
    )
    const { id, position, unreadable } = page.rows[1] ?? {}
    assert.deepEqual([id, position, unreadable], [2, 2, field])
  })
}

const secondary: object[] = [
  { avg_cad: '80' },
  { avg_hr: {} },
  { avg_watts: [200] },
  { max_speed: Infinity },
  { elevation_gain: '1,200' },
  ...each('duration', -1, '1:2:3'),
  { created_at: '2026-13-01T00:00:00Z' },
  { updated_at: 'today' },
  ...each('gear_id', 'blue', 1.5, -1, 0),
  { name: 7 },
  { highlighted_photo_id: '5' },
]
for (const over of secondary) {
  const [[field, value] = ['', '']] = Object.entries(over)
  Deno.test(`a trip with ${field} ${JSON.stringify(value)} is stored without it`, () => {
    assert.deepEqual(readOne(over), { ...readOne({}), [field]: undefined })
  })
}

Deno.test('unreadable flags count as missing', () => {
  assert.equal(readOne({ is_stationary: 'no' })?.is_stationary, false)
  assert.equal(readOne({ is_gps: 'yes' })?.has_map, false)
  assert.equal(readOne({ first_lat: '33.8' })?.has_map, false)
})

Deno.test('a row without an id has its position in the complete list', () => {
  const page = read([null, 7, 'x', [], {}, { id: null }, { id: '5' }, { id: 0 }, { id: 1e300 }, trip()], 1000)
  assert.ok(page.ok)
  const rows = page.value.rows
  assert.deepEqual(
    rows.map(({ ride }) => ride === null),
    [...Array(9).fill(true), false],
  )
  const places = rows.map(({ id, position, unreadable }) => [id, position, unreadable])
  assert.deepEqual(places[0], [null, 1001, 'row'])
  assert.deepEqual(places[6], [null, 1007, 'id'])
})

const lacks = (row: unknown) => readAll([row]).rows[0]?.lacks

Deno.test('a row lacks the fields that are missing or unreadable', () => {
  assert.deepEqual(lacks(trip()), [])
  assert.deepEqual(lacks(trip({ distance: 'far', gear_id: undefined, avg_hr: {}, name: 7, time_zone: 7 })), [
    'distance',
    'gear_id',
    'name',
    'avg_hr',
  ])
  // Null counts as missing for required fields.
  const needed = { distance: null, moving_time: null, duration: null, departed_at: null, created_at: null }
  assert.deepEqual(lacks(trip(needed)), Object.keys(needed))
  // For other fields, null is a valid value: no bike or no sensor.
  assert.deepEqual(lacks(trip({ gear_id: null, avg_hr: null, highlighted_photo_id: 0 })), [])
  for (const row of [null, {}]) assert.deepEqual(lacks(row), FIELDS)
})

for (const field of FIELDS) {
  Deno.test(`a row lacks ${field} if it is missing or unreadable`, () => {
    for (const value of [undefined, {}, [1]]) assert.ok(lacks(trip({ [field]: value }))?.includes(field))
  })
}
