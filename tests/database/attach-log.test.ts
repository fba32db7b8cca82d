import { beforeEach, expect, test } from 'vitest'
import { onlyWorld } from '../world.ts'
import { literal, type Row, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)
const { value } = database

const [OLD, NEW, OTHER] = [1, 2, 3]
const mile = { distance: 1609, moving_time: 300 }
beforeEach(() =>
  database.run(
    `${onlyWorld({
      bikes: ['Domane', 'Domane', 'Warbird'],
      entries: [
        { part: 1, name: 'Chain' },
        { part: 2, name: 'Pads', to: '2024-02-01', ended_as: 'worn' },
        { bike: NEW, part: 3, name: 'Tire', from: '2024-06-01' },
      ],
      tasks: [
        { part: 1, name: 'Wax', days: 30 },
        { bike: OLD, name: 'Wash', every_distance: 16_090 },
      ],
      rides: [
        { bike: OLD, at: '2024-01-10', ...mile },
        { bike: OLD, at: '2024-05-10', ...mile },
        { bike: NEW, at: '2024-07-10', ...mile },
      ],
    })} update public.bikes set is_listed = gear_id <> ${OLD}`,
  ),
)

const run = (command: string, args: object) =>
  value<Row>(`(select public.run_command('${command}', ${literal(args)}, gen_random_uuid()))`)
const attach = (from: number, to: number) => run('attach_log', { from, to })
const rows = async (sql: string) => (await database.run(sql)).at(-1)!
const usage = () =>
  rows(`select name, item.rides::integer from public.maintenance as entry
    join json_to_recordset(public.maintenance_use("bikeId") -> 'items') as item (id bigint, rides bigint) using (id) order by id`)
const kinds = async () =>
  (await value<{ lines: { kind: string; gear_id?: number }[] }>('public.to_check()')).lines
    .filter(({ kind }) => kind !== 'no_kind')
    .map(({ kind, gear_id }) => [kind, gear_id])

test('the entries, tasks and rides of a bike with a new id go to the new one, and Undo brings them back', async () => {
  const everything = () =>
    rows(`select (select jsonb_agg(m order by id) from public.maintenance as m) as items,
      (select jsonb_agg(t order by id) from public.service_tasks as t) as tasks,
      (select jsonb_agg(d.key order by id) from public.dismissed_checks as d) as dismissed,
      (select count(*) from public.attached_logs) as attached, public.garage()::jsonb as garage,
      public.service_due()::jsonb as due`)
  await database.run(
    `insert into public.dismissed_checks (key) values ('late_end:${OLD}:2024-02-01:1'), ('no_bike:9')`,
  )
  const before = await everything()
  expect(await kinds()).toEqual([
    ['gone_bike', OLD],
    ['parts_in_use', OLD],
  ])
  expect(await usage()).toEqual([
    { name: 'Chain', rides: 2 },
    { name: 'Pads', rides: 1 },
    { name: 'Tire', rides: 1 },
  ])

  const { change, touched } = await attach(OLD, NEW)
  expect(touched).toMatchObject({
    bikes: [OLD, NEW],
    tables: ['attached_logs', 'dismissed_checks', 'maintenance', 'service_tasks'],
  })
  expect(await usage()).toEqual([
    { name: 'Chain', rides: 3 },
    { name: 'Pads', rides: 1 },
    { name: 'Tire', rides: 1 },
  ])
  expect(await kinds()).toEqual([])
  const { tasks } = await value<{ tasks: object[] }>(`public.service_due(${NEW})`)
  const wash = { name: 'Wash', used: expect.objectContaining({ distance: 4827 }) }
  expect(tasks).toContainEqual(expect.objectContaining(wash))
  const { bikes, rides_without_bike } = await value<Row>('public.garage()')
  expect(bikes).toMatchObject([
    { gear_id: NEW, rides: 3 },
    { gear_id: OTHER, rides: 0 },
  ])
  expect(rides_without_bike).toBe(0)
  expect(await value(`private.first_ride(${NEW})::date::text`)).toBe('2024-01-10')
  expect(await rows('select key from public.dismissed_checks order by 1')).toEqual([
    { key: `late_end:${NEW}:2024-02-01:1` },
    { key: 'no_bike:9' },
  ])

  expect(await run('undo', { change })).toMatchObject({
    answer: { conflicts: [] },
    touched: { bikes: [OLD, NEW] },
  })
  expect(await everything()).toEqual(before)
})

test.each([
  ['a bike that is still listed', OTHER, NEW],
  ['a bike that is gone, too', OLD, OLD],
  ['an unknown bike', OLD, 9],
  ['no known bike', 9, NEW],
])('refuses %s', async (_what, from, to) => {
  expect(await attach(from, to)).toMatchObject({ code: 'RMT18' })
  expect(await value('(select count(*)::integer from public.attached_logs)')).toBe(0)
})

test('what comes later for the former bike goes to the new one', async () => {
  const removed = await run('delete_item', { id: 2 })
  await attach(OLD, NEW)
  await run('undo', { change: removed['change'] })
  await run('add_item', { item: { bikeId: OLD, name: 'Bell' } })
  await run('add_task', { task: { gear_id: OLD, name: 'Air', every_days: 7 } })
  expect(await rows('select distinct "bikeId" as bike from public.maintenance')).toEqual([{ bike: NEW }])
  expect(
    await rows('select distinct gear_id as bike from public.service_tasks where gear_id is not null'),
  ).toEqual([{ bike: NEW }])
  expect(await attach(OLD, OTHER)).toMatchObject({ code: 'RMT18' })
})

test('a log goes on to the next id, and back to a bike that returns', async () => {
  await attach(OLD, NEW)
  await database.run(`update public.bikes set is_listed = gear_id <> ${NEW}`)
  await attach(NEW, OTHER)
  expect(await usage()).toMatchObject([{ rides: 3 }, { rides: 1 }, { rides: 1 }])
  await database.run(`update public.bikes set is_listed = gear_id <> ${OTHER}`)
  await attach(OTHER, OLD)
  expect(await usage()).toMatchObject([{ rides: 3 }, { rides: 1 }, { rides: 1 }])
  expect(
    await rows('select former_gear_id as former, gear_id as bike from public.attached_logs order by 1'),
  ).toEqual([
    { former: NEW, bike: OLD },
    { former: OTHER, bike: OLD },
  ])
})

const details = () =>
  rows('select to_jsonb(d) - $$id$$ as known from public.bike_details as d order by gear_id')

test('what is known of the former bike fills what is not known of the new one, and Undo brings both back', async () => {
  await run('bike_details', {
    gear_id: OLD,
    wanted: { serial_number: 'WTU 1', size: '54', sold_on: '2024-08-01', sold_for: 900 },
  })
  const known = { serial_number: 'WTU 1', size: '54', color: null, sold_on: '2024-08-01', sold_for: 900 }
  const first = await attach(OLD, NEW)
  expect(await details()).toEqual([{ known: { gear_id: NEW, ...known } }])
  await run('undo', { change: first['change'] })

  await run('bike_details', { gear_id: NEW, wanted: { size: '56', color: 'Blue' } })
  const before = await details()
  const { change } = await attach(OLD, NEW)
  expect(await details()).toEqual([{ known: { gear_id: NEW, ...known, size: '56', color: 'Blue' } }])
  await run('bike_details', { gear_id: OLD, wanted: { serial_number: 'WTU 2' } })
  expect(await details()).toMatchObject([{ known: { gear_id: NEW, serial_number: 'WTU 2' } }])
  await run('bike_details', { gear_id: OLD, wanted: { serial_number: 'WTU 1' } })
  await run('undo', { change })
  expect(await details()).toEqual(before)
})

test('a log without parts in use is offered once', async () => {
  await database.run(`update public.maintenance set "dateEnded" = '2024-03-01 01:00' where id = 1`)
  expect(await kinds()).toEqual([
    ['gone_bike', OLD],
    ['gone_log', OLD],
  ])
})
