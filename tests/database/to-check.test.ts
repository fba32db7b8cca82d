import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tables } from '../../supabase/database.types.ts'
import { Answer, type Line } from '../../supabase/functions/to-check/contract.ts'
import { insert, SIGN_IN_OWNER, useDatabase } from './databases.ts'
import { plainUsage, wallClock } from './usage.ts'

type Ride = Omit<Tables<'rides'>, 'started_at'>
type Item = Pick<
  Tables<'maintenance'>,
  'id' | 'bikeId' | 'type' | 'name' | 'dateStarted' | 'dateEnded' | 'ended_as'
>
type World = {
  rides?: Partial<Ride>[]
  items?: Partial<Item>[]
  /** A successful sync's skipped rows. */
  sync?: { rows: string[]; count: number }
}

const ZONE = 'America/Los_Angeles'
const [ROAD, GRAVEL, GONE, UNKNOWN] = [1, 2, 3, 99]
const HOUR = 3600

const database = await useDatabase(`
    ${SIGN_IN_OWNER};
    update private.owner set time_zone = '${ZONE}';
    insert into public.bikes (gear_id, name, is_listed)
    values (${ROAD}, 'Road', true), (${GRAVEL}, 'Gravel', true), (${GONE}, 'Sold', false)`)

const ordinary = {
  gear_id: ROAD,
  departed_at: '2024-05-01T17:00:00Z',
  time_zone: ZONE,
  distance: 30_000,
  duration: HOUR + 300,
  moving_time: HOUR,
  max_speed: 55,
  is_stationary: false,
  has_map: true,
  name: 'Ride',
}

const linesNow = () => database.read(Answer, 'public.to_check()')

async function check({ rides = [], items = [], sync }: World): Promise<Line[]> {
  const allRides = rides.map((ride, index) => ({ ...ordinary, id: index + 1, ...ride }))
  const allItems = items.map((item, index) =>
    Object.assign(
      { id: index + 1, bikeId: ROAD, type: null, name: 'Chain', dateEnded: null, ended_as: null },
      item,
    ),
  )
  await database.run(`
    truncate public.rides, public.maintenance, public.service_events, public.ride_syncs, public.dismissed_checks;
    ${insert('rides', allRides)}
    ${insert('maintenance', allItems)}
    select private.fill_kinds_and_positions();
    ${
      sync
        ? `insert into public.ride_syncs (triggered_by, outcome, finished_at, skipped, skipped_rows)
           values ('owner', 'ok', now(), ${sync.count}, '${sync.rows.join('\n')}');`
        : ''
    }
  `)
  return (await linesNow()).lines.filter(({ kind }) => kind !== 'no_kind')
}

const firstRide = () => database.value<string | null>(`private.first_ride(${ROAD})`)
const kindsOf = (lines: Line[]) => lines.map(({ kind }) => kind)
const dayAfter = (count: number, time = '17:00:00') =>
  `${new Date(Date.UTC(2024, 0, 1) + count * 86_400_000).toISOString().slice(0, 10)}T${time}Z`
const ridesOn = (...days: number[]) => days.map((day) => ({ departed_at: dayAfter(day) }))
const tenOn = (gear: number) => Array.from({ length: 10 }, () => gear)
const at = (day: string) => `${day}T01:00:00`

describe('numbers of a ride', () => {
  const wrong: [kind: string, ride: Partial<Ride>][] = [
    ['max_speed', { max_speed: 173.8 }],
    ['max_speed', { max_speed: 120.1 }],
    ['average_speed', { distance: 61_000, moving_time: HOUR }],
    ['average_speed', { distance: 61_000, moving_time: null, duration: HOUR }],
    ['average_speed', { distance: 61_000, moving_time: 0, duration: HOUR }],
    ['average_speed', { distance: 61_000, moving_time: null, duration: null, avg_speed: 80 }],
    ['moving_time', { duration: HOUR, moving_time: 2 * HOUR }],
    ['distance', { distance: 1_609_000, moving_time: null, duration: null }],
    // Slower than a car.
    ['distance', { distance: 1_100_000, moving_time: 23 * HOUR, duration: 23 * HOUR }],
    ['time', { moving_time: null, duration: 30 * HOUR, distance: 30_000 }],
    ['time', { moving_time: 2 ** 31 - 1, duration: 2 ** 31 - 1 }],
    ['no_distance', { distance: 0, moving_time: HOUR }],
    ['no_distance', { distance: null, moving_time: null, duration: 2 * HOUR }],
    ['date', { departed_at: '2099-01-01T10:00:00Z' }],
    ['date', { departed_at: '1970-01-01T10:00:00Z' }],
    // A GPS unit that doesn't know the date yet.
    ['date', { departed_at: '1989-12-31T00:00:00Z', created_at: '2026-05-01T10:00:00Z' }],
    // One that has lost the count of its weeks, once or twice.
    ['date', { departed_at: '2006-10-01T10:00:00Z', created_at: '2026-05-17T12:00:00Z' }],
    ['date', { departed_at: '1990-01-01T10:00:00Z', created_at: '2029-05-01T10:00:00Z' }],
  ]
  test.each(wrong)('%s: %j', async (kind, ride) => {
    expect(kindsOf(await check({ rides: [ride] }))).toEqual([kind])
  })

  test.each<[why: string, ride: Partial<Ride>]>([
    ['an ordinary ride', {}],
    ['a fast descent', { max_speed: 120 }],
    ['a game that goes downhill fast', { max_speed: 140, is_stationary: true }],
    ['no maximum', { max_speed: null }],
    ['an hour record', { distance: 57_000 }],
    ['an indoor descent', { distance: 65_000, is_stationary: true }],
    // 60.00000000000001 in floating point.
    ['exactly 60 km/h', { distance: 10_000, moving_time: 600, duration: 600 }],
    ['a moving time of a second', { distance: 45_000, moving_time: 1 }],
    ['a short sprint without a time', { distance: 900, moving_time: 10, duration: 10 }],
    ['a day of 1,026 km', { distance: 1_026_000, moving_time: 86_000, duration: 86_400 }],
    ['a brevet of four days', { distance: 1_200_000, moving_time: 60 * HOUR, duration: 90 * HOUR }],
    ['a moving time that was rounded up', { moving_time: HOUR + 60, duration: HOUR }],
    ['a duration of 0', { duration: 0 }],
    ['only a distance', { moving_time: null, duration: null, max_speed: null }],
    ['a device that was left on, but did not move', { distance: 20, moving_time: 0, duration: 9 * HOUR }],
    ['a trainer without a speed sensor', { distance: 0, is_stationary: true }],
    ['a short ride without distance', { distance: 0, moving_time: HOUR - 1 }],
    ['nothing at all', { distance: null, moving_time: null, duration: null, max_speed: null }],
  ])('ignores %s', async (_, ride) => {
    expect(await check({ rides: [ride] })).toEqual([])
  })

  test('are looked for among the rides of their index', async () => {
    // Too few rides for an index otherwise.
    const [plan] = (
      await database.run('set enable_seqscan = off; explain (format json) select * from private.check_rides')
    ).slice(-1)
    expect(JSON.stringify(plan)).toContain('rides_unusual_idx')
    await database.run('reset enable_seqscan')
  })

  test('a ride of a wrong day has one line, although its numbers are wrong, too', async () => {
    expect(
      kindsOf(await check({ rides: [{ departed_at: '1970-01-01T10:00:00Z', max_speed: 150 }] })),
    ).toEqual(['date'])
  })

  test('shortens a name of 10,000 characters, and keeps markup and right-to-left text', async () => {
    const names = ['x'.repeat(10_000), 'رحلة الصباح', `<script>alert('1')</script>`]
    const rides = names.map((name, index) => ({ name, max_speed: 150, departed_at: dayAfter(index) }))
    const shown = (await check({ rides })).map((line) => line.rides[0]!.name ?? '')
    expect(shown.toSorted()).toEqual([names[2], 'x'.repeat(200), names[1]])
  })

  test('a ride gets another key only when its number changes', async () => {
    const [one] = await check({ rides: [{ max_speed: 150 }] })
    const [other] = await check({ rides: [{ max_speed: 151 }] })
    const [again] = await check({ rides: [{ max_speed: 150, name: 'Renamed' }] })
    expect(other!.key).not.toBe(one!.key)
    expect(again!.key).toBe(one!.key)
  })
})

describe('a ride long before all others', () => {
  const EARLY = { departed_at: '2021-05-01T17:00:00Z', created_at: '2024-05-01T17:00:00Z' }
  const LATER = [{ departed_at: '2023-06-01T17:00:00Z' }, { departed_at: '2023-06-03T17:00:00Z' }]

  test('is no first ride if it was uploaded years later, until that is dismissed', async () => {
    const [line] = await check({ rides: [EARLY, ...LATER] })
    expect(line).toMatchObject({ kind: 'date', uploaded: '2024-05-01', is_ahead: false, rides: [{ id: 1 }] })
    expect(await firstRide()).toBe('2023-06-01T10:00:00')
    const used = await database.value<{ first_ride: string; total: { rides: number } }>(
      `public.maintenance_use(${ROAD})`,
    )
    expect(used).toMatchObject({ first_ride: '2023-06-01', total: { rides: 3 } })
    await database.run(`select private.command_dismiss_check('${JSON.stringify({ key: line!.key })}')`)
    expect(await linesNow()).toMatchObject({ lines: [] })
    expect(await firstRide()).toBe('2021-05-01T10:00:00')
  })

  test('is skipped with others whose clock was wrong', async () => {
    const lost = { departed_at: '2006-10-01T10:00:00Z', created_at: '2026-05-17T12:00:00Z' }
    await check({
      rides: [
        lost,
        { ...lost, departed_at: '2006-09-29T10:00:00Z' },
        { departed_at: '1989-12-31T00:00:00Z' },
        ...LATER,
      ],
    })
    expect(await firstRide()).toBe('2023-06-01T10:00:00')
  })

  test.each<[why: string, rides: Partial<Ride>[]]>([
    ['it was uploaded soon', [{ ...EARLY, created_at: '2021-05-02T17:00:00Z' }, ...LATER]],
    ['another one is within a year', [EARLY, { departed_at: '2022-04-01T17:00:00Z' }, ...LATER]],
    ['there is no other', [EARLY]],
    ['the others are on another bike', [EARLY, ...LATER.map((ride) => ({ ...ride, gear_id: GRAVEL }))]],
    ['it has no bike', [{ ...EARLY, gear_id: null }, ...LATER]],
  ])('is not doubted if %s', async (_, rides) => {
    expect(kindsOf(await check({ rides }))).not.toContain('date')
  })
})

describe('the same ride twice', () => {
  const BY_HAND = { duration: null, moving_time: null }
  const PAUSED = { moving_time: 1000, distance: 9000 }
  const WITHOUT_START = { departed_at: null, created_at: '2024-05-01T17:00:00Z' }
  const from = (time: string, facts: Partial<Ride> = {}) => ({ departed_at: `2024-05-01T${time}Z`, ...facts })

  test.each<[why: string, rides: Partial<Ride>[]]>([
    ['two devices', [from('17:00:00'), from('17:02:10', { distance: 30_400, gear_id: GRAVEL })]],
    ['the same file, uploaded twice', [from('17:00:00'), from('17:00:00')]],
    [
      'a phone that died on the way',
      [from('17:00:00'), from('17:10:00', { duration: 1800, moving_time: 1750, distance: 14_000 })],
    ],
    ['long pauses in both', [from('17:00:00', PAUSED), from('17:03:00', PAUSED)]],
    ['two entries by hand', [from('17:00:00', BY_HAND), from('17:00:00', BY_HAND)]],
    // A converter took local time for UTC.
    ...[-5, 1, 9, -24, 24].map((hours): [string, Partial<Ride>[]] => [
      `equal, ${hours} hours later`,
      [from('17:00:00'), { departed_at: new Date(Date.UTC(2024, 4, 1, 17 + hours)).toISOString() }],
    ]),
    ['equal on two bikes', [from('17:00:00'), from('22:00:00', { gear_id: GRAVEL })]],
    [
      'across the switch to summer time',
      [{ departed_at: '2024-03-10T09:30:00Z' }, { departed_at: '2024-03-10T09:33:00Z', time_zone: 'UTC' }],
    ],
  ])('%s', async (_, rides) => {
    const lines = await check({ rides })
    expect(kindsOf(lines)).toEqual(['same_ride'])
    expect(lines[0]!.key).toBe('same_ride:1:2')
  })

  test('says how far equal rides are apart, on a bike and on none', async () => {
    const lines = await check({ rides: [from('17:00:00'), from('22:00:00', { gear_id: null })] })
    expect(lines.find(({ kind }) => kind === 'same_ride')).toMatchObject({
      overlap: 0,
      apart: 18_000,
      distance: 30_000,
    })
    const overlapping = await check({
      rides: [from('17:00:00'), from('17:30:00', { distance: 15_000, moving_time: 1750, duration: 1800 })],
    })
    expect(overlapping).toMatchObject([{ overlap: 1800, apart: null }])
  })

  test('next to a ride of long ago', async () => {
    const rides = [{ departed_at: '1950-01-01T12:00:00Z' }, ...ridesOn(0), ...ridesOn(0)]
    const lines = await check({ rides })
    expect(lines.map(({ key }) => key)).toContain('same_ride:2:3')
  })

  test('reports three devices as three pairs', async () => {
    expect(await check({ rides: [from('17:00:00'), from('17:01:00'), from('17:02:00')] })).toHaveLength(3)
  })

  test.each<[why: string, rides: Partial<Ride>[]]>([
    ['a ride that follows', [from('17:00:00'), from('18:05:00', { distance: 30_001 })]],
    [
      'a ride that starts before the last one is stopped',
      [from('17:00:00'), from('18:00:00', { moving_time: HOUR + 1 })],
    ],
    ['an equal ride after more than 26 hours', [from('17:00:00'), { departed_at: '2024-05-02T19:00:01Z' }]],
    ['equal rides on each day, entered by hand', ridesOn(1, 2, 3)],
    [
      'an errand while the other device was paused at work',
      [
        from('17:00:00', { duration: 9 * HOUR, moving_time: HOUR }),
        from('20:00:00', { duration: 900, moving_time: 800, distance: 4000 }),
      ],
    ],
    [
      'a ride while a device was left on for days',
      [
        from('17:00:00', { duration: 60 * HOUR, moving_time: 60 * HOUR, distance: 1_200_000 }),
        from('20:00:00'),
      ],
    ],
    [
      'a ride of a few minutes',
      [from('17:00:00'), from('17:10:00', { duration: 299, moving_time: 299, distance: 1000 })],
    ],
    [
      'entries by hand of the same day',
      [from('17:00:00', BY_HAND), from('17:00:00', { ...BY_HAND, distance: 12_000 })],
    ],
    ['rides without a start', [WITHOUT_START, WITHOUT_START]],
    [
      'the hour that winter time repeats',
      [
        { departed_at: '2024-11-03T08:10:00Z', duration: 3000, moving_time: 2900 },
        { departed_at: '2024-11-03T09:10:00Z', duration: 3000, moving_time: 2901 },
      ],
    ],
  ])('ignores %s', async (_, rides) => {
    expect(await check({ rides })).toEqual([])
  })
})

describe('bikes of rides', () => {
  test('counts rides without a bike in one line, including rides with unknown gear', async () => {
    const rides = [null, UNKNOWN, null, ROAD].map((gear_id, index) => ({
      gear_id,
      departed_at: dayAfter(index),
    }))
    expect(await check({ rides })).toEqual([
      {
        key: 'no_bike:3',
        kind: 'no_bike',
        rides: [],
        items: [],
        ride_count: 3,
        distance: 90_000,
        of_unlisted_gear: 1,
      },
    ])
    // A ride in the future counts nowhere yet.
    await database.run(
      `insert into public.rides (id, departed_at, distance, name) values (9, now() + interval '1 day', 5, 'Ride')`,
    )
    expect((await linesNow()).lines).toMatchObject([{ key: 'no_bike:3', ride_count: 3 }])
    await database.run(`insert into public.dismissed_checks (key) values ('no_bike:2'), ('no_bike:nonsense')`)
    expect((await linesNow()).lines).toMatchObject([{ key: 'no_bike:3', ride_count: 1 }])
  })

  test('names a bike that is gone, with its parts that are still in use', async () => {
    const items = [
      { bikeId: GONE, name: 'Chain', dateStarted: at('2024-01-01') },
      { bikeId: GONE, name: 'Fit', dateStarted: at('2024-01-01'), dateEnded: at('2024-01-01') },
      { bikeId: GONE, name: 'Tire', dateStarted: at('2024-01-01'), dateEnded: at('2024-06-01') },
      { bikeId: GONE, name: 'Planned', dateStarted: at('2099-01-01') },
      { bikeId: ROAD, name: 'Saddle', dateStarted: at('2024-01-01') },
    ]
    const lines = await check({ rides: [{ gear_id: GONE }], items })
    expect(lines).toMatchObject([
      { key: 'gone_bike:3:1', gear_id: GONE, ride_count: 1 },
      { key: 'parts_in_use:3:1:1', gear_id: GONE, item_count: 1, items: [{ id: 1, name: 'Chain' }] },
    ])
  })

  const indoors = (...gears: number[]) =>
    gears.map((gear_id, index) => ({ gear_id, is_stationary: true, departed_at: dayAfter(index) }))

  test('an indoor ride among ten or more on another bike is likely on the wrong bike', async () => {
    const lines = await check({ rides: indoors(...tenOn(ROAD), GRAVEL, ROAD) })
    expect(lines).toMatchObject([
      { key: 'wrong_bike:11:2:1', gear_id: GRAVEL, likely: ROAD, ride_count: 11, rides: [{ id: 11 }] },
    ])
    expect(kindsOf(await check({ rides: indoors(...tenOn(ROAD), GRAVEL) }))).toEqual(['wrong_bike'])
  })

  test.each<[why: string, rides: Partial<Ride>[]]>([
    ['nine others', indoors(...tenOn(ROAD).slice(1), GRAVEL)],
    ['a new bike on the trainer', indoors(...tenOn(ROAD), GRAVEL, GRAVEL)],
    ['others on two bikes', indoors(...tenOn(ROAD), GRAVEL, ROAD, GRAVEL)],
    ['rides outdoors', [...indoors(...tenOn(ROAD)), { gear_id: GRAVEL, departed_at: dayAfter(11) }]],
  ])('finds no wrong bike with %s', async (_, rides) => {
    expect(await check({ rides })).toEqual([])
  })

  test('never suggests a bike that is gone for an indoor ride', async () => {
    expect(kindsOf(await check({ rides: indoors(...tenOn(GONE), GRAVEL) }))).toEqual(['gone_bike'])
  })

  test('lists the rides that the last sync skipped', async () => {
    const lines = await check({ sync: { rows: ['77 distance', '#3 id', '78 departed_at'], count: 5 } })
    expect(lines).toMatchObject([
      { key: 'skipped:77:distance', ride_id: 77, field: 'distance' },
      { key: 'skipped:78:departed_at' },
      { key: 'skipped_others:3', ride_count: 3 },
    ])
    expect(await check({ sync: { rows: [], count: 0 } })).toEqual([])
    expect(await check({})).toEqual([])
  })
})

const FACTS = ['kind', 'gear_id', 'family', 'since', 'until', 'ride_count', 'distance'] as const
const sorted = (list: object[]) => list.map((one) => JSON.stringify(one)).toSorted()

type Placed = Pick<Item, 'id' | 'bikeId' | 'dateStarted'> & { dateEnded: string; family: string }

function plainRanges(items: Placed[], rides: Parameters<typeof plainUsage>[1]) {
  const found: object[] = []
  const add = (kind: string, items: Placed[], since: string, until: string) => {
    const [{ bikeId, family }] = items as [Placed]
    const range = { id: 0, bikeId, dateStarted: since, dateEnded: until }
    const { rides: ride_count, distance } = plainUsage(range, rides, Date.now())
    if (ride_count === 0) return
    const days = { since: since.slice(0, 10), until: until.slice(0, 10) }
    found.push({ kind, gear_id: bikeId, family, ...days, ride_count, distance: distance / 1000 })
  }
  const parts = items.filter((item) => item.dateStarted !== item.dateEnded)
  for (const one of parts) {
    const others = parts.filter(
      (other) => other !== one && other.bikeId === one.bikeId && other.family === one.family,
    )
    for (const other of others) {
      const [since, until] = [
        [one.dateStarted, other.dateStarted].toSorted()[1]!,
        [one.dateEnded, other.dateEnded].toSorted()[0]!,
      ]
      if (one.id < other.id && since < until) add('two_parts', [one, other], since, until)
    }
    const isFirst = !others.some(({ id, dateStarted }) => dateStarted === one.dateStarted && id < one.id)
    const before = others.filter(({ dateStarted }) => dateStarted < one.dateStarted)
    const since = before
      .map(({ dateEnded }) => dateEnded)
      .toSorted()
      .at(-1)
    if (isFirst && since !== undefined && since < one.dateStarted)
      add('no_part', [one], since, one.dateStarted)
  }
  return found
}

describe('parts', () => {
  const chain = (from: string, to: string | null, facts: Partial<Item> = {}): Partial<Item> => ({
    type: 'Drivetrain',
    name: 'KMC X11 chain',
    dateStarted: at(from),
    dateEnded: to && at(to),
    ...facts,
  })
  const named = (name: string, from: string, to: string | null, type: Item['type'] = null) =>
    chain(from, to, { name, type })
  const since = (type: Item['type'], ...names: string[]) =>
    names.map((name) => named(name, '2024-01-01', null, type))
  /** A part, and its successor a month after it ended. */
  const gap = (name: string, type: Item['type'], ended: Partial<Item> = {}) => [
    { ...named(name, '2024-01-01', '2024-02-01', type), ...ended },
    named(name, '2024-03-01', null, type),
  ]

  test('counts the rides in a gap, from its start until just before its end', async () => {
    const rides = [
      // Rides one microsecond before the gap, at its start, within it and at its end.
      { departed_at: '2024-02-01T08:59:59.999999Z', duration: 1, moving_time: null, distance: 5 },
      { departed_at: '2024-02-01T09:00:00Z' },
      { departed_at: '2024-02-07T20:00:00Z', distance: 84_000.5, duration: null, moving_time: null },
      { departed_at: '2024-02-13T09:00:00Z' },
      { departed_at: '2024-02-08T09:00:00Z', gear_id: GRAVEL },
    ]
    const items = [
      chain('2024-01-01', '2024-02-01'),
      chain('2024-02-13', null, { name: ' SRAM  CHAIN, new' }),
    ]
    expect(await check({ rides, items })).toEqual([
      {
        key: 'no_part:1:chain:2:2024-02-01:2024-02-13',
        kind: 'no_part',
        gear_id: ROAD,
        family: 'chain',
        positions: null,
        rides: [],
        items: [
          { id: 1, name: 'KMC X11 chain' },
          { id: 2, name: ' SRAM  CHAIN, new' },
        ],
        since: '2024-02-01',
        until: '2024-02-13',
        days: 12,
        ride_count: 2,
        distance: 114_000.5,
      },
    ])
  })

  test('names each pair of an old chain without an end once, with its own days', async () => {
    const items = [
      named('Old chain', '2021-06-01', null),
      chain('2023-01-01', '2024-01-11'),
      chain('2024-01-11', '2024-02-10'),
      chain('2024-02-10', '2024-03-01'),
      // Planned parts overlap only in the future.
      chain('2099-01-01', null),
    ]
    const lines = await check({ rides: ridesOn(5, 20, 45, 100), items })
    expect(pairsOf(lines)).toEqual(['1 and 2: 375 days', '1 and 3: 30 days', '1 and 4: 20 days'])
    expect(lines.map(({ key }) => key)).toEqual([
      'two_parts:1:chain:1:2:2023-01-01:2024-01-11',
      'two_parts:1:chain:1:3:2024-01-11:2024-02-10',
      'two_parts:1:chain:1:4:2024-02-10:2024-03-01',
    ])
  })

  test('names front and rear once', async () => {
    const items = [
      named('Marathon 35, pair', '2024-01-01', '2024-02-01', 'Tires'),
      named('GP 5000, front', '2024-02-10', null, 'Tires'),
      named('GP 5000, rear', '2024-02-10', null, 'Tires'),
    ]
    const lines = await check({ rides: ridesOn(35), items })
    expect(lines).toMatchObject([{ positions: ['front'] }, { positions: ['rear'] }])
    const pairs = [items[0]!, named('Marathon Plus, pair', '2024-02-10', null, 'Tires')]
    expect(await check({ rides: ridesOn(35), items: pairs })).toMatchObject([
      { positions: ['front', 'rear'] },
    ])
  })

  test('a rear wheel taken off for a direct-drive trainer leaves no gap', async () => {
    const items = gap('DT Swiss, rear', 'Wheels')
    const indoors = ridesOn(35, 40).map((ride) => Object.assign(ride, { is_stationary: true }))
    expect(await check({ rides: indoors, items })).toEqual([])
    expect(await check({ rides: [...indoors, ...ridesOn(42)], items })).toMatchObject([
      { kind: 'no_part', family: 'wheel', positions: ['rear'], ride_count: 1 },
    ])
    // Chains wear indoors, too.
    expect(await check({ rides: indoors, items: gap('Chain', 'Drivetrain') })).toMatchObject([
      { ride_count: 2 },
    ])
  })

  const ended = (ended_as: string | null, day = '2024-12-01') => [
    chain('2023-01-01', day, { ended_as, name: 'Chain' }),
  ]

  test.each<[why: string, items: Partial<Item>[]]>([
    ['front and rear brake pads', since('Brakes', 'Pads front', 'Pads rear')],
    ['two pads of the same name', since('Brakes', 'Pads', 'Pads')],
    ['two tires of the same name', since('Tires', 'GP 5000', 'GP 5000')],
    ['two chainrings', since('Drivetrain', 'Chainring 34', 'Chain ring 50')],
    [
      'a chain and what belongs to it',
      since(null, 'Chain', 'Chain wax', 'Chain catcher', 'Quick link for the chain', 'Cleaned the chain'),
    ],
    ['a saddle and its bag', since('Saddle', 'B17', 'Saddle bag')],
    ['parts that a bike can do without', gap('Fenders', null)],
    ['chains that take turns', [...gap('Chain A', null), named('Chain B', '2024-02-01', '2024-03-01')]],
    [
      'a gap that another name may fill',
      [...gap('Chain', 'Drivetrain'), named('KMC X11SL', '2024-02-01', null, 'Drivetrain')],
    ],
    [
      'a gap that another name may fill, without a type',
      [...gap('Chain', 'Drivetrain'), named('Kette', '2024-01-30', '2024-03-01')],
    ],
    [
      'a gap that a tire without a position may fill',
      [...gap('GP 5000 front', 'Tires'), named('Gravelking', '2023-12-01', null, 'Tires')],
    ],
    [
      'a winter wheelset that was stored, while the other wheels are not in the log',
      gap('Winter wheelset', 'Wheels', { ended_as: 'stored' }),
    ],
    [
      'pads of both ends when the rear ones are replaced',
      [...since('Brakes', 'SRAM pads, both'), named('SRAM pads, rear', '2024-02-01', null, 'Brakes')],
    ],
    [
      'names in another language or of 1,000 characters',
      [...gap('سلسلة', null), ...since(null, 'x'.repeat(1000), '<b>')],
    ],
  ])('ignores %s', async (_, items) => {
    expect(await check({ rides: ridesOn(5, 20, 32, 35, 42, 70), items })).toEqual([])
  })

  test('reports a part that wore out long after the last ride', async () => {
    const lines = await check({ rides: ridesOn(30), items: [...ended('worn'), ...ended(null)] })
    expect(lines.filter(({ kind }) => kind === 'late_end')).toMatchObject([
      {
        key: 'late_end:1:2024-12-01:2',
        item_count: 2,
        items: [{ id: 1 }],
        last_ride: '2024-01-31',
        until: '2024-12-01',
        days: 305,
      },
    ])
    for (const items of [
      ended('stored'),
      ended('sold'),
      ended('moved'),
      ended('worn', '2024-07-29'),
      [chain('2024-12-01', '2024-12-01')],
      // It may still be ridden until then.
      ended('worn', '2099-01-01'),
    ])
      expect(await check({ rides: ridesOn(30), items })).toEqual([])
    // Without rides, the bike's state is unknown.
    expect(await check({ items: ended('worn') })).toEqual([])
  })

  test('gaps and overlaps match a plain loop', async () => {
    const day = fc.integer({ min: 0, max: 40 })
    const periods = fc.array(
      fc.record({
        from: day,
        days: fc.integer({ min: 0, max: 15 }),
        bikeId: fc.constantFrom(ROAD, GRAVEL),
        family: fc.constantFrom('chain', 'cassette'),
      }),
      { maxLength: 8 },
    )
    const rides = fc.array(
      fc.record({
        departed_at: day.map((count) => dayAfter(count, '20:00:00')),
        gear_id: fc.constantFrom(ROAD, GRAVEL),
        distance: fc.integer({ min: 1000, max: 9000 }),
        moving_time: fc.constant(null),
        duration: fc.constant(null),
      }),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(periods, rides, async (periods, rides) => {
        const items = periods.map(({ from, days, bikeId, family }, index) => ({
          id: index + 1,
          bikeId,
          name: `The ${family}`,
          dateStarted: at(dayAfter(from).slice(0, 10)),
          dateEnded: at(dayAfter(from + days).slice(0, 10)),
        }))
        const lines = (await check({ rides, items })).flatMap((line) =>
          line.kind === 'no_part' || line.kind === 'two_parts' ? [line] : [],
        )
        const found = lines.map((line) => Object.fromEntries(FACTS.map((fact) => [fact, line[fact]])))
        const counted = rides.map((ride, index) => ({
          ...ordinary,
          created_at: null,
          ...ride,
          id: index + 1,
        }))
        const placed = items.map((item, index) => Object.assign(item, { family: periods[index]!.family }))
        expect(sorted(found)).toEqual(sorted(plainRanges(placed, counted)))
      }),
      { numRuns: 30 },
    )
  })
})

describe('to_check', () => {
  test('leaves out dismissed lines', async () => {
    const [line] = await check({ rides: [{ max_speed: 150 }] })
    await database.run(`insert into public.dismissed_checks (key) values ('${line!.key}')`)
    expect(await linesNow()).toEqual({ lines: [], left_out: 0 })
    await database.run('delete from public.dismissed_checks')
    expect((await linesNow()).lines).toHaveLength(1)
  })

  test('shows the newest 100 lines of a kind', async () => {
    const rides = Array.from({ length: 130 }, (_, index) => ({
      max_speed: 150,
      departed_at: dayAfter(index),
    }))
    const lines = await check({ rides })
    expect(lines).toHaveLength(100)
    expect(lines[0]).toMatchObject({ rides: [{ id: 130, started_at: wallClock(dayAfter(129), ZONE) }] })
  })
})

function pairsOf(lines: Line[]): string[] {
  return lines.flatMap((line) =>
    line.kind === 'two_parts' ? `${line.items.map(({ id }) => id).join(' and ')}: ${line.days} days` : [],
  )
}
