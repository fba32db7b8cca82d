import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(async () => {
  await tracker.reset()
  tracker.rwgps.behavior.trips = trips(3)
  await tracker.update()
})
afterAll(() => tracker.close())

const rides = () =>
  tracker.project.query<{ id: number; distance: string | null }>(
    'select *, xmin::text as version from public.rides order by id',
  )

/** Creates trips with `fields`. An undefined field is left out. */
const tripsWith = (fields: object, newest = 3, oldest = 1) =>
  trips(newest, oldest).map((one) => Object.assign(one, fields))

const unreadable = [undefined, 'text', {}, -1, [1]]
const without = (value: unknown, ...keys: string[]) => Object.fromEntries(keys.map((key) => [key, value]))
const lost: [field: string, over: object][] = [
  ...unreadable.flatMap((value): [string, object][] => [
    ['gear_id', without(value, 'gear_id')],
    ['distance', without(value, 'distance')],
    ['moving_time', without(value, 'moving_time', 'duration')],
    ['duration', without(value, 'duration')],
    ['departed_at', without(value, 'departed_at', 'created_at')],
    ['created_at', without(value, 'created_at')],
    ['id', without(value, 'id')],
  ]),
  // Fields that every ride has.
  ['distance', { distance: null }],
  ['moving_time', { moving_time: null, duration: null }],
  ['departed_at', { departed_at: null, created_at: null }],
  ['departed_at', { departed_at: '2024-02-30T10:00:00Z' }],
  ...['name', 'max_speed', 'avg_speed', 'avg_hr', 'max_hr', 'avg_watts', 'elevation_gain'].flatMap(
    (field): [string, object][] => [
      [field, without(undefined, field)],
      [field, without({}, field)],
    ],
  ),
]
test.each(lost)(
  'a list that lost %s to %j writes nothing, and the history names the field',
  async (field, over) => {
    const before = await rides()
    tracker.rwgps.behavior.trips = tripsWith(over)
    expect(await tracker.update()).toEqual({
      status: 502,
      body: { code: 'rwgps_bad_answer', message: expect.any(String) },
    })
    expect(await rides()).toEqual(before)
    const rows = field === 'id' ? ['#1', '#2', '#3'] : ['3', '2', '1']
    expect((await tracker.history()).at(-1)).toMatchObject({
      outcome: 'failed',
      code: 'rwgps_bad_answer',
      skipped: 3,
      skipped_rows: rows.map((row) => `${row} ${field}`).join('\n'),
    })
    const log = () => tracker.functions.output()
    await expect.poll(log).toContain(`"event":"field_lost","field":"${field}","rows":3`)

    tracker.rwgps.behavior.trips = trips(3)
    expect(await tracker.update()).toMatchObject({ status: 200, body: { changed: 0 } })
  },
)

test.each([
  ['removed the bike from every ride', { gear_id: null }],
  ['has rides without a name', { name: null }],
  ['has no sensors', { avg_hr: null, max_hr: null, avg_watts: null, max_watts: null, avg_cad: null }],
])('accepts the list of an owner who %s', async (_, over) => {
  tracker.rwgps.behavior.trips = tripsWith(over)
  expect(await tracker.update()).toMatchObject({ status: 200, body: { changed: 3, skipped: 0 } })
})

test('accepts a list in which half of the rows lost a field', async () => {
  tracker.rwgps.behavior.trips = [...trips(4, 3), ...tripsWith({ gear_id: undefined }, 2)]
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 1, changed: 2 } })
})

test('accepts a list without a field that most stored rides lack', async () => {
  tracker.rwgps.behavior.trips = [trip(3), ...tripsWith({ gear_id: null }, 2)]
  await tracker.update()
  tracker.rwgps.behavior.trips = tripsWith({ gear_id: undefined })
  expect(await tracker.update()).toMatchObject({ status: 200, body: { changed: 1 } })
})

test('accepts missing fields in the first sync of an account', async () => {
  await tracker.reset()
  tracker.rwgps.behavior.trips = tripsWith({ distance: undefined, gear_id: 'Road' })
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 3, skipped: 0 } })
})

describe('in a list of several pages', () => {
  beforeEach(async () => {
    tracker.rwgps.behavior.trips = trips(30)
    await tracker.update()
    tracker.rwgps.behavior.cap = 7
  })

  test.each([
    ['all rows', tripsWith({ distance: undefined, name: 'New' }, 30)],
    ['the first pages', [...tripsWith({ distance: undefined, name: 'New' }, 30, 11), ...trips(10)]],
    ['the last pages', [...trips(30, 21), ...tripsWith({ distance: undefined, name: 'New' }, 20)]],
    [
      'two of three rows',
      trips(30).map((one, index) => (index % 3 ? Object.assign(one, { distance: 'far', name: 'New' }) : one)),
    ],
  ])('changes no ride if %s lost the field', async (_, list) => {
    const before = await rides()
    tracker.rwgps.behavior.trips = list
    expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_bad_answer' } })
    expect(await rides()).toEqual(before)
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', added: 0, changed: 0 })
  })

  test('stores a page without the field if most rows of the list have it', async () => {
    tracker.rwgps.behavior.trips = [...trips(30, 8), ...tripsWith({ distance: undefined }, 7)]
    expect(await tracker.update()).toMatchObject({
      status: 200,
      body: { fetched: 30, changed: 7, removed: 0 },
    })
    expect((await rides()).flatMap(({ id, distance }) => (distance === null ? id : []))).toEqual(idsTo(7))
  })
})
