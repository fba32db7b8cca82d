import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import type { Task } from '../_shared/contracts/service-tasks.ts'
import { createToken } from '../_shared/http/tokens.ts'
import { errorOf, fakeQuery, LIMIT, recordLog, TASK, WORN } from '../_shared/testing.ts'
import type { FeedData } from './contract.ts'
import { feedEvents, formatFeed } from './feed.ts'
import { createHandler } from './handler.ts'

const TOKEN = createToken()

const wash: Task = {
  ...TASK,
  item_id: null,
  name: 'Wash',
  every: { distance: null, moving_time: null, days: 30 },
  used: { distance: 482_700, moving_time: 60_000, days: 12 },
  fraction: 0.4,
  axis: 'days',
  state: 'ok',
  part_id: null,
  item_name: null,
  item_type: null,
}

const feedOf = (...tasks: Partial<Task>[]): FeedData => ({
  tasks: tasks.map((changes) => Object.assign({}, wash, changes)),
  limits: [],
  rides: { today: '2026-05-13', bikes: [] },
  settings: null,
  bikes: { 7: 'Domane' },
  due_since: { 2: '2026-05-03' },
})
const overdue = { id: 2, fraction: 1.2, state: 'overdue', used: { ...wash.used, days: 36 } } as const

function serve(
  feed: FeedData,
  { now = () => 0, trackerUrl }: { now?: () => number; trackerUrl?: string } = {},
) {
  let reads = 0
  const { log, lines } = recordLog()
  const handle = createHandler({
    query: fakeQuery({
      calendar_feed(args) {
        reads++
        return (args as { token: string }).token === TOKEN ? feed : null
      },
      stamp_calendar_feed(args) {
        const ids = Object.keys(JSON.parse((args as { content: string }).content))
        return Object.fromEntries(
          ids.map((id) => [id, { revision: Number(id) * 10, changed_at: `2026-05-12T1${id}:00:00.5+00:00` }]),
        )
      },
    }),
    now,
    trackerUrl,
    log,
  })
  const get = (path = `/functions/v1/calendar/${TOKEN}/bike-maintenance.ics`, init?: RequestInit) =>
    handle(new Request(`http://localhost${path}`, init))
  return { get, lines, reads: () => reads }
}

/** Parses events with an independent library. */
function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: event.getFirstPropertyValue('uid'),
    day: String(event.getFirstPropertyValue('dtstart')),
    isDate: (event.getFirstPropertyValue('dtstart') as InstanceType<typeof ICAL.Time>).isDate,
    summary: event.getFirstPropertyValue('summary'),
    description: event.getFirstPropertyValue('description'),
    transparency: event.getFirstPropertyValue('transp'),
    sequence: event.getFirstPropertyValue('sequence'),
    stamp: String(event.getFirstPropertyValue('dtstamp')),
    url: event.getFirstPropertyValue('url'),
  }))
}

Deno.test('the feed has an event for each task with a date', async () => {
  const feed = feedOf({}, overdue, { id: 3, state: 'paused' }, { id: 4, baseline: null })
  const response = await serve(feed).get()
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('Content-Type'), 'text/calendar; charset=utf-8')
  const both = { isDate: true, summary: 'Wash: Domane', transparency: 'TRANSPARENT', url: null }
  assert.deepEqual(parse(await response.text()), [
    {
      uid: 'service-task-1@rwgps-maintenance-tracker',
      day: '2026-05-31',
      description: 'Domane\nUsed: 12 of 30 days\nDue May 31, 2026',
      sequence: 10,
      stamp: '2026-05-12T11:00:00Z',
      ...both,
    },
    {
      uid: 'service-task-2@rwgps-maintenance-tracker',
      day: '2026-05-03',
      description: 'Domane\nUsed: 36 of 30 days\nDue since May 3, 2026',
      sequence: 20,
      stamp: '2026-05-12T12:00:00Z',
      ...both,
    },
  ])
})

Deno.test('a group has one event, on its first day, and a task that waits for another one has none', () => {
  const tire = { item_id: 3, part_id: 2, item_name: 'Tire', item_type: 'Tires', group: 2 }
  const none = { distance: null, moving_time: null, days: null }
  const feed = feedOf(
    { ...overdue, ...tire },
    { id: 5, ...tire, gear_id: 8 },
    { id: 6, with_task: 5, left: none },
  )
  const [event, ...others] = feedEvents({ ...feed, bikes: { 7: 'Domane', 8: 'Warbird' } })
  assert.deepEqual(others, [])
  assert.deepEqual([event?.id, event?.day, event?.summary], [2, '2026-05-03', 'Wash: 2 tires'])
  assert.match(event?.description ?? '', /^Domane, Warbird\nUsed: 36 of 30 days/)
})

Deno.test('a wear limit has an event of its own, which says how it is known', async () => {
  const ago = Array.from({ length: 540 }, (_, day) => day)
  const bike = { gear_id: 7, is_stationary: false, ago, distance: ago.map(() => 10_000) }
  const rides: FeedData['rides'] = {
    today: '2026-05-13',
    bikes: [{ ...bike, moving_time: ago.map(() => 1800) }],
  }
  const limits: FeedData['limits'] = [
    LIMIT,
    { ...WORN, part_id: 4 },
    { ...LIMIT, part_id: 5, gear_id: 8, unit: 'Pad mm', limit: 1 },
    { ...LIMIT, part_id: 6, fraction: 1.01, due_since: '2026-05-11', state: 'due' },
  ]
  const events = feedEvents({ ...feedOf({}), rides, limits })
  assert.deepEqual(
    events.map(({ id, day, summary, description }) => [id, day, summary, description]),
    [
      [1, '2026-05-31', 'Wash: Domane', 'Domane\nUsed: 12 of 30 days\nDue May 31, 2026'],
      [
        'limit-2-chain%',
        '2026-05-24',
        'Chain at 0.5%: Chain',
        'Domane\nlikely from 1,497 mi on\nDue about May 24, 2026',
      ],
      [
        'limit-4-chain%',
        '2026-05-09',
        'Chain at 0.5%: Chain',
        'Domane\nread on 05/09/2026\nDue since May 9, 2026',
      ],
      [
        'limit-6-chain%',
        '2026-05-11',
        'Chain at 0.5%: Chain',
        'Domane\nlikely from 1,497 mi on\nDue since May 11, 2026',
      ],
    ],
  )
  const stamps = Object.fromEntries(
    events.map(({ id }) => [id, { revision: 1, changed_at: '2026-05-12T10:00:00Z' }]),
  )
  const uids = parse(formatFeed(events, stamps)).map(({ uid }) => uid)
  assert.equal(uids[1], 'limit-2-chain%@rwgps-maintenance-tracker')
})

Deno.test('a task that is done once on a day has that day', () => {
  const every = { distance: null, moving_time: null, days: null }
  const [event] = feedEvents(feedOf({ once: true, due_on: '2026-06-03', every }))
  assert.deepEqual(
    [event?.day, event?.description],
    ['2026-06-03', 'Domane\nOnce, by 06/03/2026\nDue Jun 3, 2026'],
  )
})

Deno.test('a snoozed task moves to the day its snooze ends', () => {
  const [event] = feedEvents(feedOf({ ...overdue, state: 'snoozed', snoozed_until: '2026-05-20' }))
  assert.equal(event?.day, '2026-05-20')
  assert.match(event?.description ?? '', /Due since May 3, 2026, snoozed until May 20, 2026$/)
})

Deno.test('the description shows usage and the likely range', () => {
  const days = Array.from({ length: 1095 }, (_, ago) => ago)
  const feed = feedOf({
    item_name: 'Chain',
    every: { distance: 965_400, moving_time: 180_000, days: null },
  })
  feed.rides.bikes = [
    {
      gear_id: 7,
      is_stationary: false,
      ago: days,
      distance: days.map((ago) => (Math.floor(ago / 20) % 2 === 0 ? 20_000 : 5_000)),
      moving_time: days.map(() => 3600),
    },
  ]
  const [event] = feedEvents(feed)
  assert.equal(event?.summary, 'Wash: Chain')
  assert.match(
    event?.description ?? '',
    /^Domane\nUsed: 300\.0 of 600\.0 mi, 16\.67 of 50 hours\nLikely due between \w+ \d+, 2026 and \w+ \d+, 2026$/,
  )
})

Deno.test('the description has the owner’s distances and dates', () => {
  const task = {
    ...overdue,
    every: { ...wash.every, distance: 965_400 },
    state: 'snoozed',
    snoozed_until: '2026-05-20',
  } as const
  const settings = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'EUR', week_start: 'Monday' } as const
  const [event] = feedEvents({ ...feedOf(task), settings })
  assert.equal(
    event?.description,
    'Domane\nUsed: 482.7 of 965.4 km, 36 of 30 days\nDue since 3 May 2026, snoozed until 20 May 2026',
  )
})

const STAMPS = { 1: { revision: 3, changed_at: '2026-05-12T10:00:00Z' } }

Deno.test('keeps emoji, commas and line ends in names, and folds lines at 75 bytes', () => {
  const name = `Wax, wipe; “hot” \\n 🚲${'🔧'.repeat(30)}\nthen\r\nride`
  const text = formatFeed(feedEvents(feedOf({ name, item_name: 'Chain\u0007' })), STAMPS)
  assert.equal(parse(text)[0]?.summary, `${name.replace('\r\n', '\n')}: Chain`)
  assert.match(text, /\r\nEND:VCALENDAR\r\n$/)
  for (const line of text.split('\r\n')) {
    assert.ok(new TextEncoder().encode(line).length <= 75, line)
    assert.doesNotMatch(line, /\n/)
  }
  assert.match(text, /REFRESH-INTERVAL;VALUE=DURATION:PT6H/)
})

Deno.test('a feed without tasks has another component, which a valid calendar needs', async () => {
  const text = await (await serve(feedOf()).get()).text()
  assert.deepEqual(parse(text), [])
  assert.match(text, /\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n$/)
  assert.doesNotMatch(text, /[^\r]\n/)
  assert.equal(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent()?.name, 'vtimezone')
})

Deno.test('two tasks of one name and day differ in their address, too', async () => {
  const feed = feedOf({}, { id: 2 })
  const response = await serve(feed, { trackerUrl: 'https://bikes.example' }).get()
  const [first, second] = parse(await response.text())
  assert.deepEqual(
    [first?.url, second?.url],
    ['https://bikes.example/#bike=7&task=1', 'https://bikes.example/#bike=7&task=2'],
  )
  assert.deepEqual(
    [first?.summary, first?.day, first?.description],
    [second?.summary, second?.day, second?.description],
  )
})

Deno.test('the link of an older version still opens the feed', async () => {
  const { get } = serve(feedOf({}))
  const text = await (await get()).text()
  assert.equal(await (await get(`/functions/v1/calendar/${TOKEN}.ics`)).text(), text)
})

Deno.test('dates beyond 2100 stay valid', () => {
  const feed = feedOf({ every: { ...wash.every, days: 3650 }, baseline: '2100-12-19T01:00:00' })
  feed.rides.today = '2100-12-31'
  assert.equal(parse(formatFeed(feedEvents(feed), STAMPS))[0]?.day, '2110-12-17')
})

Deno.test('an unchanged feed has the same bytes, and clients that have them get 304', async () => {
  const { get } = serve(feedOf({}, overdue))
  const [first, second] = [await get(), await get()]
  const text = await first.text()
  assert.equal(await second.text(), text)
  const etag = first.headers.get('ETag')!
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const response = await get(undefined, { headers: { 'If-None-Match': known } })
    assert.deepEqual([response.status, await response.text()], [304, ''])
  }
  assert.equal((await get(undefined, { headers: { 'If-None-Match': '"other"' } })).status, 200)
})

Deno.test('another token gets 404, and another path without a query', async () => {
  const { get, reads } = serve(feedOf({}))
  const paths = ['', `/${TOKEN}`, `/${TOKEN}.ics/more`, `/${TOKEN}/other.ics`, `?token=${TOKEN}`].map(
    (path) => `/calendar${path}`,
  )
  for (const path of paths) assert.deepEqual(await errorOf(await get(path)), [404, 'unknown_calendar'])
  assert.equal(reads(), 0)
  const near = 'a'.repeat(42)
  for (const token of [
    'b'.repeat(43),
    near,
    `${near}aa`,
    '',
    `${near}%00`,
    `${near}'`,
    `../${TOKEN}`.slice(0, 43),
  ]) {
    for (const path of [`${token}.ics`, `${token}/bike-maintenance.ics`]) {
      const response = await get(`/functions/v1/calendar/${path}`)
      assert.deepEqual(await errorOf(response), [404, 'unknown_calendar'])
    }
  }
})

Deno.test('HEAD has the headers of GET', async () => {
  const { get } = serve(feedOf({}))
  const [head, full] = [await get(undefined, { method: 'HEAD' }), await get()]
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.deepEqual([...head.headers], [...full.headers])
})

Deno.test('only GET and HEAD are allowed', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const response = await serve(feedOf({})).get(undefined, { method })
    assert.deepEqual([response.status, response.headers.get('Allow')], [405, 'GET, HEAD, OPTIONS'])
  }
})

Deno.test('limits guesses, but never the real token', async () => {
  const { get, lines } = serve(feedOf({}), { now: () => 5 * 60_000 })
  const statuses = new Map<number, number>()
  for (let index = 0; index < 1000; index++) {
    const { status } = await get(`/functions/v1/calendar/${'b'.repeat(43)}.ics`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [404, 60],
      [429, 940],
    ],
  )
  assert.equal((await get()).status, 200)
  assert.ok(lines.every((line) => !line.includes('bbb')))
})
