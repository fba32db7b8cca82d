import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { GIVEN_AWAY, TRAIL } from './gear.ts'
import { sampleTrips, sampleUser, type Trip } from './rider.ts'
import { TripSchema } from './trip-schema.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const trips = sampleTrips(NOW)
const measured = trips.filter((trip) => typeof trip.moving_time === 'number')

const seconds = (time: Trip['duration']) => {
  if (typeof time !== 'number') throw new Error(`${time} is not a number of seconds`)
  return time
}
const epoch = (stamp: string) => Date.parse(stamp) / 1000

const idsAt = (now: number) => sampleTrips(new Date(now)).map((trip) => trip.id)
const some = (test: (trip: Trip) => boolean) => trips.filter(test).length

describe('the list of rides', () => {
  it('has rows of the recorded shape', () => {
    for (const trip of trips) expect(() => v.parse(TripSchema, trip)).not.toThrow()
  })

  it('holds about 1,400 rides of six years', () => {
    expect(trips.length).toBeGreaterThan(1350)
    expect(trips.length).toBeLessThan(1450)
    const years = Map.groupBy(trips, (trip) => trip.departed_at.slice(0, 4))
    expect([...years.keys()].toSorted()).toEqual(['2020', '2021', '2022', '2023', '2024', '2025', '2026'])
    for (const year of ['2021', '2022', '2023', '2024', '2025']) {
      expect(years.get(year)?.length).toBeGreaterThan(150)
    }
  })

  it('is sorted by departure, newest first, and names each ride once', () => {
    const departures = trips.map((trip) => trip.departed_at)
    expect(departures).toEqual(departures.toSorted().toReversed())
    expect(new Set(trips.map((trip) => trip.id)).size).toBe(trips.length)
  })

  it('gives later uploads larger ids', () => {
    const byId = trips.toSorted((a, b) => a.id - b.id).map((trip) => trip.created_at)
    expect(byId).toEqual(byId.toSorted())
  })
})

describe('as time passes', () => {
  it.each(['2021-06-01T03:00:00Z', '2024-03-16T12:00:00Z', '2026-11-15T20:15:00Z'])(
    'a ride that was there at %s is there unchanged later',
    (earlier) => {
      const later = new Map(trips.map((trip) => [trip.id, trip]))
      const before = sampleTrips(new Date(earlier))
      expect(before.length).toBeGreaterThan(0)
      for (const trip of before) expect(later.get(trip.id)).toEqual(trip)
    },
  )

  it('the list goes on growing, year after year', () => {
    expect(sampleTrips(new Date('2028-11-20T12:00:00Z')).length).toBeGreaterThan(trips.length + 300)
  })

  it('a ride appears when it is uploaded, not before', () => {
    const newest = trips.find((trip) => trip.updated_at === trip.created_at)
    if (!newest) throw new Error('every ride was edited')
    const uploaded = Date.parse(newest.created_at)
    expect(idsAt(uploaded)).toContain(newest.id)
    expect(idsAt(uploaded - 1000)).not.toContain(newest.id)
  })

  it('the bikes come and go', () => {
    expect(sampleUser(new Date('2021-01-01T00:00:00Z')).gear).toHaveLength(3)
    const { gear } = sampleUser(NOW)
    expect(gear).toHaveLength(4)
    expect(gear.filter((bike) => bike.archived).map((bike) => bike.id)).toEqual([TRAIL])
    expect(gear.filter((bike) => bike.nickname === null)).toHaveLength(1)
  })

  it('the user counts the rides of the list', () => {
    expect(sampleUser(NOW).trips_included_in_totals_count).toBe(trips.length)
  })
})

describe('the numbers of a ride', () => {
  it('agree with each other', () => {
    expect(measured.length).toBeGreaterThan(1300)
    for (const trip of measured) {
      const moving = seconds(trip.moving_time)
      expect(moving).toBeLessThanOrEqual(seconds(trip.duration))
      expect(trip.avg_speed).toBeCloseTo((trip.distance / moving) * 3.6, 3)
      expect(trip.max_speed ?? 0).toBeGreaterThan(trip.avg_speed ?? 0)
      expect(epoch(trip.created_at)).toBeGreaterThanOrEqual(epoch(trip.departed_at) + seconds(trip.duration))
    }
  })

  it('agree on the heart rate where there was a strap', () => {
    const strapped = measured.filter((trip) => trip.avg_hr !== null)
    expect(strapped.length).toBeGreaterThan(400)
    for (const { avg_hr, max_hr, min_hr, hr_zones, moving_time } of strapped) {
      const zones = Object.values(hr_zones ?? {})
      expect(zones.reduce((sum, zone) => sum + zone, 0)).toBe(moving_time)
      expect(Math.min(...zones)).toBeGreaterThanOrEqual(0)
      expect(max_hr ?? 0).toBeGreaterThan(avg_hr ?? 0)
      expect(min_hr ?? 0).toBeLessThan(avg_hr ?? 0)
    }
  })

  it('leave the rider in one place at a time', () => {
    const inOrder = measured.toReversed()
    for (const [index, trip] of inOrder.entries()) {
      const next = inOrder[index + 1]
      if (!next) continue
      expect(epoch(trip.departed_at) + seconds(trip.duration)).toBeLessThan(epoch(next.departed_at))
    }
  })

  it('stay within what a rider can do', () => {
    for (const trip of measured) {
      expect(trip.distance).toBeLessThan(200_000)
      expect(trip.avg_speed).toBeLessThan(36)
      expect(trip.elevation_gain).toBeLessThan(3000)
      expect(trip.max_hr ?? 0).toBeLessThanOrEqual(186)
    }
  })
})

describe('the quirks of real accounts', () => {
  it('are there', () => {
    const listed = new Set(sampleUser(NOW).gear.map((bike) => bike.id))
    expect(some((trip) => trip.gear_id === GIVEN_AWAY)).toBeGreaterThan(5)
    expect(listed.has(GIVEN_AWAY)).toBe(false)
    expect(some((trip) => trip.gear_id === null)).toBeGreaterThan(10)
    expect(some((trip) => trip.duration === null)).toBe(4)
    expect(some((trip) => typeof trip.duration === 'string')).toBe(1)
    expect(some((trip) => trip.time_zone === 'Pacific Time (US & Canada)')).toBeGreaterThan(10)
    expect(some((trip) => trip.time_zone === 'Asia/Tokyo')).toBeGreaterThan(2)
    expect(some((trip) => epoch(trip.created_at) - epoch(trip.departed_at) > 2 * 365 * 86_400)).toBe(3)
    expect(some((trip) => (trip.max_speed ?? 0) > 120)).toBeGreaterThan(0)
    expect(some((trip) => trip.highlighted_photo_id === 0)).toBeGreaterThan(1000)
    expect(some((trip) => trip.highlighted_photo_id !== 0)).toBeGreaterThan(30)
    expect(some((trip) => trip.avg_watts !== null && trip.max_watts === null)).toBeGreaterThan(300)
    expect(some((trip) => trip.avg_watts !== null && trip.max_watts !== null)).toBeGreaterThan(100)
    expect(some((trip) => trip.avg_hr === null && trip.moving_time !== null)).toBeGreaterThan(100)
    expect(some((trip) => trip.departed_at.slice(0, 10) !== trip.created_at.slice(0, 10))).toBeGreaterThan(10)
  })

  it('show in the names', () => {
    const names = new Set(trips.map((trip) => trip.name))
    for (const part of ['Morning Ride', 'Ride 10', 'ü', '🎂', "'", '<b>', '&']) {
      expect([...names].some((name) => name.includes(part))).toBe(true)
    }
    expect(names).toContain('Ride 2')
  })

  it('turn the box of an indoor ride inside out, and keep its distance', () => {
    const indoors = trips.filter((trip) => trip.is_stationary)
    expect(indoors.length).toBeGreaterThan(80)
    for (const trip of indoors) {
      expect(trip).toMatchObject({ first_lat: null, sw_lat: 90, sw_lng: 180, ne_lat: -90, ne_lng: -180 })
      expect(trip.elevation_gain).toBe(0)
      expect(trip.distance).toBeGreaterThan(10_000)
    }
    expect(indoors.some((trip) => trip.is_gps)).toBe(true)
  })

  it('leave nothing but a distance on a ride that was entered by hand', () => {
    const byHand = trips.filter((trip) => trip.duration === null)
    for (const trip of byHand) {
      expect(trip).toMatchObject({
        moving_time: null,
        avg_speed: null,
        max_speed: null,
        avg_hr: null,
        is_gps: false,
      })
      expect(trip.distance).toBeGreaterThan(1000)
    }
  })

  it('keep the offset of standard time in summer', () => {
    const summer = trips.find((trip) => trip.departed_at.startsWith('2025-07'))
    expect(summer).toMatchObject({ time_zone: 'America/Los_Angeles', utc_offset: -28_800 })
  })
})
