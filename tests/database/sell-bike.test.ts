// Sells a bike with its parts.
import { beforeEach, describe, expect, test } from 'vitest'
import { onlyWorld } from '../world.ts'
import { literal, type Row, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)
const { value } = database

const [WARBIRD, ROAD] = [1, 2]
const [FRAME, CHAIN, SADDLE, PLANNED_END, ROAD_CHAIN] = [1, 2, 3, 4, 5]
const mile = { distance: 1609, moving_time: 300 }
beforeEach(() =>
  database.run(
    onlyWorld({
      bikes: ['Warbird', 'Road'],
      entries: [
        { part: FRAME, name: 'Frame' },
        { part: CHAIN, name: 'Chain', from: '2024-05-01', cost: 40 },
        { part: SADDLE, name: 'Saddle' },
        { part: PLANNED_END, name: 'Rental wheels', to: '2090-01-01' },
        { bike: ROAD, part: ROAD_CHAIN, name: 'Road chain' },
        { part: 6, name: 'Old tire', to: '2024-02-01', ended_as: 'worn' },
        { part: 7, name: 'Tune-up', to: '2024-01-01', cost: 80 },
      ],
      tasks: [
        { part: CHAIN, name: 'Wax', days: 30 },
        { bike: WARBIRD, name: 'Wash', days: 7 },
        { bike: ROAD, name: 'Wash', days: 7 },
      ],
      rides: [
        { bike: WARBIRD, at: '2024-05-10', ...mile },
        { bike: WARBIRD, at: '2024-06-01T12:00:00', name: 'To the buyer', ...mile },
        { bike: WARBIRD, at: '2024-06-02', name: 'Still counted', ...mile },
        { bike: ROAD, at: '2024-05-10', ...mile },
      ],
    }),
  ),
)

const run = (command: string, args: object) =>
  value<Row>(`(select public.run_command('${command}', ${literal(args)}, gen_random_uuid()))`)
const SALE = { gear_id: WARBIRD, day: '2024-06-01', price: 1450.5, goes_along: [FRAME, CHAIN, PLANNED_END] }
const sell = (changes: object = {}) => run('sell_bike', { ...SALE, ...changes })
const rows = async (sql: string) => (await database.run(sql)).at(-1)!
const ends = () =>
  rows(
    `select name, "dateEnded"::date::text as day, ended_as from public.maintenance where "bikeId" = ${WARBIRD} order by id`,
  )
const everything = () =>
  rows(`select (select jsonb_agg(item order by id) from public.maintenance as item) as items,
    (select jsonb_agg(details) from public.bike_details as details) as details, public.garage()::jsonb as garage,
    public.service_due()::jsonb as due, public.spending()::jsonb as spending, public.to_check()::jsonb as found`)
const states = async () =>
  (await value<{ tasks: Row[] }>('public.service_due()')).tasks
    .map(({ gear_id, name, state }) => [gear_id, name, state].join(' '))
    .toSorted()

test('its parts end as sold or go to storage, it counts as retired, and one Undo brings all back', async () => {
  const before = await everything()
  expect(await states()).toEqual(['1 Wash overdue', '1 Wax overdue', '2 Wash overdue'])

  const { answer, change } = await sell()
  expect(answer).toEqual({ sold: 3, stored: 1 })
  const day = '2024-06-01'
  expect(await ends()).toEqual([
    { name: 'Frame', day, ended_as: 'sold' },
    { name: 'Chain', day, ended_as: 'sold' },
    { name: 'Saddle', day, ended_as: 'stored' },
    { name: 'Rental wheels', day, ended_as: 'sold' },
    { name: 'Old tire', day: '2024-02-01', ended_as: 'worn' },
    { name: 'Tune-up', day: '2024-01-01', ended_as: null },
  ])
  const { parts } = await value<{ parts: Row[] }>('public.stored_parts()')
  expect(parts.map(({ name }) => name)).toEqual(['Saddle'])
  expect(await states()).toEqual(['1 Wash paused', '1 Wax paused', '2 Wash overdue'])
  const { answer: listed } = await run('bikes', {})
  expect(listed).toMatchObject({
    bikes: expect.arrayContaining([{ gear_id: WARBIRD, name: 'Warbird', is_retired: true }]),
  })
  expect(
    await rows(
      'select gear_id, public.counts_as_retired(bikes) as is_retired from public.bikes order by public.list_order(bikes)',
    ),
  ).toEqual([
    { gear_id: ROAD, is_retired: false },
    { gear_id: WARBIRD, is_retired: true },
  ])

  expect(await run('undo', { change })).toMatchObject({ answer: { conflicts: [] } })
  expect(await everything()).toEqual(before)
})

test('the price is income, not a cost, and rides after the sale count and are named in To check', async () => {
  const spending = () => value<{ income: object; total: object }>('public.spending()')
  const { total } = await spending()
  expect((await spending()).income).toEqual([])
  await sell()
  expect(await spending()).toMatchObject({
    total,
    income: [{ month: '2024-06', gear_id: WARBIRD, amount: 1450.5 }],
  })
  expect(await value('public.garage()')).toMatchObject({ total: { rides: 4, cost: 120 } })
  const { lines } = await value<{ lines: Row[] }>('public.to_check()')
  expect(lines.filter(({ kind }) => kind === 'sold_bike')).toEqual([
    {
      key: `sold_bike:${WARBIRD}:3`,
      kind: 'sold_bike',
      items: [],
      gear_id: WARBIRD,
      ride_count: 1,
      distance: 1609,
      sold_on: '2024-06-01',
      rides: [{ id: 3, name: 'Still counted', started_at: '2024-06-02T00:00:00' }],
    },
  ])
})

test('a bike that was sold and then deleted at Ride with GPS is no former bike', async () => {
  await sell()
  await database.run(`update public.bikes set is_listed = gear_id <> ${WARBIRD}`)
  const { lines } = await value<{ lines: Row[] }>('public.to_check()')
  expect(
    lines.flatMap(({ kind, gear_id }) => (gear_id === WARBIRD && kind !== 'same_ride' ? [kind] : [])),
  ).toEqual(['sold_bike'])
})

test('without a price there is no income, and clearing the day brings the bike back without its price', async () => {
  await sell({ price: null })
  expect(await value('public.spending()')).toMatchObject({ income: [] })
  await run('bike_details', { gear_id: WARBIRD, shown: { sold_for: null }, wanted: { sold_for: 900 } })
  await run('bike_details', { gear_id: WARBIRD, shown: { sold_on: '2024-06-01' }, wanted: { sold_on: null } })
  expect(await rows('select sold_on, sold_for from public.bike_details')).toEqual([
    { sold_on: null, sold_for: null },
  ])
  expect(await states()).toContain('1 Wash overdue')
  await run('bike_details', { gear_id: WARBIRD, wanted: { size: '56' } })
  expect(await sell({ day: '2024-07-01', goes_along: [] })).toMatchObject({ answer: { sold: 0, stored: 0 } })
  expect(await rows('select size, sold_for::float from public.bike_details')).toEqual([
    { size: '56', sold_for: 1450.5 },
  ])
})

test('undoing the sale keeps the serial number that was typed since', async () => {
  const { change } = await sell()
  await run('bike_details', { gear_id: WARBIRD, wanted: { serial_number: 'WTU 1' } })
  expect(await run('undo', { change })).toMatchObject({ answer: { conflicts: [] } })
  expect(await rows('select serial_number, sold_on, sold_for from public.bike_details')).toEqual([
    { serial_number: 'WTU 1', sold_on: null, sold_for: null },
  ])
  expect((await ends())[0]).toEqual({ name: 'Frame', day: null, ended_as: null })
})

test('of two devices, the second learns that the bike is sold', async () => {
  await sell()
  const before = await everything()
  expect(await sell({ price: 9 })).toMatchObject({ code: 'RMT24' })
  expect(await everything()).toEqual(before)
})

describe('rejects', () => {
  test.each<[string, object, object]>([
    ['a future day', { day: '2090-01-01' }, { code: 'RMT14' }],
    ['a day before the start of a part', { day: '2024-04-30' }, { code: 'RMT13' }],
    ['a negative price', { price: -1 }, { code: '23514', constraint_name: 'bike_details_sold_for_check' }],
    ['a price that is no number', { price: 'NaN' }, { code: '23514' }],
    ['a price that is too large', { price: 1e12 }, { code: '22003' }],
    ['a part of another bike', { goes_along: [FRAME, ROAD_CHAIN] }, { code: 'PT422' }],
    ['a part that is no longer on it', { goes_along: [6] }, { code: 'PT422' }],
    ['work', { goes_along: [7] }, { code: 'PT422' }],
    ['an unknown bike', { gear_id: 9, goes_along: [] }, { code: '23503' }],
  ])('%s, and changes nothing', async (_what, changes, error) => {
    const before = await everything()
    await expect(sell(changes)).rejects.toMatchObject(error)
    expect(await everything()).toEqual(before)
  })
})

const edit = (shown: object, wanted: object) => run('bike_details', { gear_id: ROAD, shown, wanted })

describe('details', () => {
  test('are edited one by one, and a value that was changed elsewhere is shown', async () => {
    await edit({ size: null }, { size: '56', color: 'Blue' })
    expect(await edit({ size: null }, { size: '58' })).toMatchObject({
      code: 'RMT31',
      stored: { size: '56', color: 'Blue' },
    })
    expect(await edit({ size: '56' }, { size: null })).toMatchObject({
      answer: { row: { size: null, color: 'Blue' } },
    })
    expect(await edit({}, {})).toMatchObject({ change: null })
  })

  test.each([
    ['a blank serial number', { serial_number: ' ' }, '23514'],
    ['a long size', { size: 'x'.repeat(101) }, '23514'],
    ['a sale in the future', { sold_on: '2090-01-01' }, 'RMT14'],
    ['another bike', { gear_id: WARBIRD, size: '56' }, '42501'],
  ])('reject %s', async (_what, wanted, code) => {
    await run('bike_details', { gear_id: ROAD, wanted: { color: 'Blue' } })
    const sql = `set local role authenticated; select public.run_command('bike_details', ${literal({ gear_id: ROAD, wanted })}, gen_random_uuid())`
    await expect(database.run(sql)).rejects.toMatchObject({ code })
    expect(
      await rows('select gear_id, serial_number, size, color, sold_on from public.bike_details'),
    ).toMatchObject([{ gear_id: ROAD, serial_number: null, size: null, color: 'Blue', sold_on: null }])
  })
})
