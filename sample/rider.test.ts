import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { GIVEN_AWAY, TRAIL } from './gear.ts'
import { sampleTrips, sampleUser, type Trip } from './rider.ts'

const UtcStamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Amount = v.pipe(v.number(), v.finite(), v.minValue(0))
const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999))
const Seconds = v.nullable(v.union([Count, v.pipe(v.string(), v.regex(/^\d+:\d\d:\d\d$/))]))

/** The field formats, as recorded from Ride with GPS in 2026. */
const TripSchema = v.strictObject({
  id: Id,
  name: v.pipe(v.string(), v.minLength(1)),
  description: v.nullable(v.string()),
  gear_id: v.nullable(Id),
  created_at: UtcStamp,
  departed_at: UtcStamp,
  updated_at: UtcStamp,
  time_zone: v.string(),
  utc_offset: v.pipe(v.number(), v.integer()),
  distance: Amount,
  duration: Seconds,
  moving_time: Seconds,
  max_speed: v.nullable(Amount),
  avg_speed: v.nullable(Amount),
  avg_hr: v.nullable(Count),
  max_hr: v.nullable(Count),
  avg_watts: v.nullable(Amount),
  max_watts: v.nullable(Amount),
  avg_cad: v.nullable(Count),
  elevation_gain: Amount,
  highlighted_photo_id: Count,
  is_stationary: v.boolean(),
  is_gps: v.boolean(),
  first_lat: v.nullable(v.pipe(v.number(), v.minValue(-90), v.maxValue(90))),
})

const NOW = new Date('2026-11-20T12:00:00Z')
const trips = sampleTrips(NOW)
const measured = trips.filter((trip) => typeof trip.moving_time === 'number')

const seconds = (time: Trip['duration']) => {
  if (typeof time !== 'number') throw new Error(`${time} is not a number of seconds`)
  return time
}
const epoch = (stamp: string) => Date.parse(stamp) / 1000

const count = (test: (trip: Trip) => boolean) => trips.filter(test).length

describe('the trip list', () => {
  it('has rows in the recorded format', () => {
    for (const trip of trips) expect(() => v.parse(TripSchema, trip)).not.toThrow()
  })

  it('has about 1,400 rides over six years', () => {
    expect(trips.length).toBeGreaterThan(1350)
    expect(trips.length).toBeLessThan(1450)
    const years = Map.groupBy(trips, (trip) => trip.departed_at.slice(0, 4))
    expect([...years.keys()].toSorted()).toEqual(['2020', '2021', '2022', '2023', '2024', '2025', '2026'])
    for (const year of ['2021', '2022', '2023', '2024', '2025']) {
      expect(years.get(year)?.length).toBeGreaterThan(150)
    }
  })

  it('is sorted by departure, newest first, without duplicates', () => {
    const departures = trips.map((trip) => trip.departed_at)
    expect(departures).toEqual(departures.toSorted().toReversed())
    expect(new Set(trips.map((trip) => trip.id)).size).toBe(trips.length)
  })
})

describe('over time', () => {
  it.each(['2021-06-01T03:00:00Z', '2024-03-16T12:00:00Z', '2026-11-15T20:15:00Z'])(
    'the rides of %s never change',
    (earlier) => {
      const later = new Map(trips.map((trip) => [trip.id, trip]))
      const before = sampleTrips(new Date(earlier))
      expect(before.length).toBeGreaterThan(0)
      for (const trip of before) expect(later.get(trip.id)).toEqual(trip)
    },
  )

  it('bikes are added and archived', () => {
    expect(sampleUser(new Date('2021-01-01T00:00:00Z')).gear).toHaveLength(3)
    const { gear } = sampleUser(NOW)
    expect(gear).toHaveLength(4)
    expect(gear.filter((bike) => bike.archived).map((bike) => bike.id)).toEqual([TRAIL])
    expect(gear.filter((bike) => bike.nickname === null)).toHaveLength(1)
  })
})

describe('the numbers of a ride', () => {
  it('are consistent', () => {
    expect(measured.length).toBeGreaterThan(1300)
    for (const trip of measured) {
      const moving = seconds(trip.moving_time)
      expect(moving).toBeLessThanOrEqual(seconds(trip.duration))
      expect(trip.avg_speed).toBeCloseTo((trip.distance / moving) * 3.6, 3)
      expect(trip.max_speed ?? 0).toBeGreaterThan(trip.avg_speed ?? 0)
      expect(epoch(trip.created_at)).toBeGreaterThanOrEqual(epoch(trip.departed_at) + seconds(trip.duration))
    }
  })

  it('never put the rider in two places', () => {
    const inOrder = measured.toReversed()
    for (const [index, trip] of inOrder.entries()) {
      const next = inOrder[index + 1]
      if (!next) continue
      expect(epoch(trip.departed_at) + seconds(trip.duration)).toBeLessThan(epoch(next.departed_at))
    }
  })
})

describe('the quirks of real accounts', () => {
  it('are all there', () => {
    const listed = new Set(sampleUser(NOW).gear.map((bike) => bike.id))
    expect(count((trip) => trip.gear_id === GIVEN_AWAY)).toBeGreaterThan(5)
    expect(listed.has(GIVEN_AWAY)).toBe(false)
    expect(count((trip) => trip.gear_id === null)).toBeGreaterThan(10)
    expect(count((trip) => trip.duration === null)).toBe(4)
    expect(count((trip) => typeof trip.duration === 'string')).toBe(1)
    expect(count((trip) => trip.time_zone === 'Pacific Time (US & Canada)')).toBeGreaterThan(10)
    expect(count((trip) => trip.time_zone === 'Asia/Tokyo')).toBeGreaterThan(2)
    expect(count((trip) => epoch(trip.created_at) - epoch(trip.departed_at) > 2 * 365 * 86_400)).toBe(3)
    expect(count((trip) => (trip.max_speed ?? 0) > 120)).toBeGreaterThan(0)
    expect(count((trip) => trip.highlighted_photo_id === 0)).toBeGreaterThan(1000)
    expect(count((trip) => trip.highlighted_photo_id !== 0)).toBeGreaterThan(30)
    expect(count((trip) => trip.avg_watts !== null && trip.max_watts === null)).toBeGreaterThan(300)
    expect(count((trip) => trip.avg_watts !== null && trip.max_watts !== null)).toBeGreaterThan(100)
    expect(count((trip) => trip.avg_hr === null && trip.moving_time !== null)).toBeGreaterThan(100)
    expect(count((trip) => trip.departed_at.slice(0, 10) !== trip.created_at.slice(0, 10))).toBeGreaterThan(
      10,
    )
  })

  it('include unusual names', () => {
    const names = new Set(trips.map((trip) => trip.name))
    for (const part of ['Morning Ride', 'Ride 10', 'ü', '🎂', "'", '<b>', '&']) {
      expect([...names].some((name) => name.includes(part))).toBe(true)
    }
    expect(names).toContain('Ride 2')
  })

  it('include indoor rides with a distance but no track', () => {
    const indoors = trips.filter((trip) => trip.is_stationary)
    expect(indoors.length).toBeGreaterThan(80)
    for (const trip of indoors) {
      expect(trip).toMatchObject({ first_lat: null, elevation_gain: 0 })
      expect(trip.distance).toBeGreaterThan(10_000)
    }
    expect(indoors.some((trip) => trip.is_gps)).toBe(true)
  })

  it('include the offset of standard time in summer', () => {
    const summer = trips.find((trip) => trip.departed_at.startsWith('2025-07'))
    expect(summer).toMatchObject({ time_zone: 'America/Los_Angeles', utc_offset: -28_800 })
  })
})
