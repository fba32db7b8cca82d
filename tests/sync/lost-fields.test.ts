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

const lost: [field: string, over: object][] = [
  ['distance', { distance: undefined }],
  ['departed_at', { departed_at: '2024-02-30T10:00:00Z' }],
  ['avg_hr', { avg_hr: {} }],
  ['id', { id: undefined }],
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

  test('changes no ride if the first pages have the field and the others lost it', async () => {
    const before = await rides()
    tracker.rwgps.behavior.trips = [...trips(30, 21), ...tripsWith({ distance: undefined, name: 'New' }, 20)]
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
