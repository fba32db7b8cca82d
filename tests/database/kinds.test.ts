import { beforeEach, describe, expect, test } from 'vitest'
import { onlyWorld, type World } from '../world.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'
import { FORMER_KINDS } from './former-kinds.ts'

const database = await useDatabase(SIGN_IN_OWNER)

const asOwner = (sql: string) =>
  database.run(`set role authenticated; ${sql}`).finally(() => database.run('reset role'))

/** Returns `kind position` of each item. */
async function placesOf(): Promise<string[]> {
  const [rows] = await database.run(`
    select concat_ws(' ', coalesce(kind, '?'), "position") as place
    from public.maintenance as item join public.parts as part on part.id = part_id order by item.id`)
  return rows!.map(({ place }) => String(place))
}

describe('the position of a part', () => {
  beforeEach(() =>
    database.run(
      onlyWorld({
        bikes: ['Road'],
        parts: [
          { id: 1, kind: 'tire' },
          { id: 2, kind: 'chain' },
          { id: 3, kind: null },
        ],
        entries: [
          { name: 'Marathon', part: 1, position: 'rear', to: '2024-02-01' },
          { name: 'Marathon', part: 1, position: 'front', from: '2024-02-01' },
          { name: 'KMC', part: 2 },
          { name: 'Bell', part: 3 },
        ],
      }),
    ),
  )

  test.each([
    ['of a chain', `update public.maintenance set "position" = 'front' where id = 3`],
    ['of an unknown kind', `update public.maintenance set "position" = 'front' where id = 4`],
    [
      'of a new part',
      `insert into public.maintenance ("bikeId", name, "position") values (1, 'Tire', 'front')`,
    ],
    ['on the left', `update public.maintenance set "position" = 'left' where id = 1`],
  ])('is rejected: %s', async (_, sql) => {
    await expect(asOwner(sql)).rejects.toMatchObject({
      code: '23514',
      constraint_name: 'maintenance_position_check',
    })
    expect(await placesOf()).toEqual(['tire rear', 'tire front', 'chain', '?'])
  })

  test('goes with a change to a kind without ends, which Undo takes back', async () => {
    await asOwner(`update public.parts set kind = 'wheel' where id = 1`)
    expect(await placesOf()).toEqual(['wheel rear', 'wheel front', 'chain', '?'])
    const [, [edited]] = (await asOwner(`select public.run_command(
      'edit_row', '{"relation": "parts", "row_id": 1, "wanted": {"kind": "saddle"}}'
    ) ->> 'change' as change`)) as [unknown, { change: string }[]]
    expect(await placesOf()).toEqual(['saddle', 'saddle', 'chain', '?'])
    await asOwner(`select public.run_command('undo', '{"change": "${edited!.change}"}')`)
    expect(await placesOf()).toEqual(['wheel rear', 'wheel front', 'chain', '?'])
  })
})

test('a part of an unknown kind is rejected', async () => {
  await expect(asOwner(`insert into public.parts (kind) values ('hanger')`)).rejects.toMatchObject({
    code: '23514',
    constraint_name: 'parts_kind_check',
  })
})

/** Fills the columns of these entries as an upgrade does. */
async function upgrade(entries: NonNullable<World['entries']>): Promise<string[]> {
  await database.run(
    `${onlyWorld({ bikes: ['Road', 'Gravel'], entries })} select private.fill_kinds_and_positions()`,
  )
  return placesOf()
}

test('an upgrade fills what version 1.0 read from names and types', async () => {
  const places = await upgrade(FORMER_KINDS.map(({ name, type }) => ({ name, type })))
  expect(FORMER_KINDS.map(({ name }, index) => [name, places[index]])).toEqual(
    FORMER_KINDS.map(({ name, place }) => [name, place]),
  )
})

test('an upgrade gives a part the kind of its latest item that says one, and each item its own position', async () => {
  const MOVED = { to: '2024-02-01', part: 7 }
  expect(
    await upgrade([
      { name: 'Chain', ...MOVED },
      { name: 'Front tire', ...MOVED, from: '2024-02-01', to: '2024-03-01' },
      { name: 'Rear tire', ...MOVED, from: '2024-03-01', to: '2024-04-01' },
      { name: 'Old thing', part: 7, from: '2024-04-01' },
    ]),
  ).toEqual(['tire', 'tire front', 'tire rear', 'tire'])
})

test('an upgrade fills what Undo brings back, and isn’t a change itself', async () => {
  await database.run(`
    ${onlyWorld({
      bikes: ['Road'],
      entries: [
        { name: 'Front tire', part: 7 },
        { name: 'Bell', part: 8 },
      ],
    })}
    select public.run_command('delete_item', '{"id": 1}', '00000000-0000-0000-0000-000000000001');
    select set_config('tracker.command', 'backup', false); select private.fill_kinds_and_positions();
    select set_config('tracker.command', '', false)`)
  expect(await database.value('(select count(distinct change) from public.changes)')).toBe(1)
  await asOwner(`select public.run_command('undo', '{"change": "00000000-0000-0000-0000-000000000001"}')`)
  expect(await placesOf()).toEqual(['tire front', '?'])
})
