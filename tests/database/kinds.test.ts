import { beforeEach, describe, expect, test } from 'vitest'
import { onlyWorld, type World } from '../world.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'

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

/** What version 1.0 read from names. */
const KINDS = `
chain; Drivetrain: KMC X11 chain / Chain KMC X11 /  SRAM  CHAIN, new / The chain / SRAM PC-951 chain, 9-speed
chain; Drivetrain: Waxed chain B / KMC pre-waxed chain / Waxed KMC X11 chain / Hot-waxed chain
chain; Drivetrain: KMC X11 chain with missing link / Chain, quick link / SRAM chain + quicklinks
chain; Drivetrain: Chain and Chainring / Chain + chainrings
cassette; any: Shimano 105 R7000 cassette 11-32 / Cassette
bottom bracket; any: Shimano SM-BB52 bottom bracket / Bottom bracket / BB / BB30 / SRAM DUB BB86
chain; Drivetrain: Chain and cassette
cassette; Drivetrain: Cassette + chain
tire front; Tires: Continental GP 5000 28, front / Front tire
tire rear; any: Rear tyre Marathon / Tire (rear)
tire both; Tires: Schwalbe Marathon Plus 35, pair / Front and rear tires / Tires
tire; Tires: GP 5000 / Gravelking / Vittoria Barzo / Tubeless Ready
wheel both; Wheels: Winter wheelset / DT Swiss ARC 1100, pair / Rim brake wheelset / Wheelset
wheel both; Wheels: Stan's NoTubes Crest Wheelset / Lightweight Meilenstein, pair
saddle; Saddle: Fizik Antares R3 / B17 / Saddle
pedals; Pedals: Shimano XT M8120 / Pedals / Crankbrothers Stamp
brake pads front; Brakes: Pads front / Brake pads, front
brake pads; any: Disc brake pads / Rim brake pads
brake pads; Brakes: SRAM Guide sintered pads / Guide RSC pads
brake pads both; Brakes: Kool-Stop Salmon pads, both
?; Drivetrain: Chain wear gauge / Chain Gauge / Chain wax / Chain waxed / Waxed / Quick link for the chain
?; Drivetrain: Chain quick link / KMC missing link / Waxed drivetrain, chain and all / Chainring 50 / KMC X12
?; Drivetrain: Shimano M8100
?; Pedals: Toe straps / Power meter battery / Cleats / Pedalboard / Pedal Wrench / Toestraps
?; Saddle: Dropper / Brooks Proofide / Gel saddle pad / Saddle bag / Saddlebag / Topeak Saddlebag L / Seatbag
?; Saddle: Saddlecover
?; Handlebar: Handlebarbag / Handlebar bag with chain / Chainstay Protector
?; Wheels: Jockey wheels / Derailleur pulley wheel / Training wheels / Wheelbag / Ritchey Wheelbags, pair
?; Wheels: Wheel Stand / Freehub / Mudguards / Speed sensor, rear wheel / Reflectors for wheels
?; Wheels: Rear wheel rebuilt / Front Hub
?; Tires: Tubolito / Tirelever / Tire Levers / Tyrelevers Schwalbe / Innertube / Rimtape / Tire Pump
?; Tires: Studded tires, pair (in the garage) / Sealant / Inner tube / Stan's NoTubes Sealant
?; any: Chainstay / Chainring, chain not included / Chainguard / Wheelbag / Tireliner
`

/** Fills the columns of these entries as an upgrade does. */
async function upgrade(entries: NonNullable<World['entries']>): Promise<string[]> {
  await database.run(
    `${onlyWorld({ bikes: ['Road', 'Gravel'], entries })} select private.fill_kinds_and_positions()`,
  )
  return placesOf()
}

test('an upgrade fills what version 1.0 read from names and types', async () => {
  const rows = KINDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [, place = '', type = '', names = ''] = /^(.*?); (.*?): (.*)$/.exec(line)!
      return names.split(' / ').map((name) => ({ name, type: type === 'any' ? null : type, place }))
    })
  const places = await upgrade(rows.map(({ name, type }) => ({ name, type })))
  expect(rows.map(({ name }, index) => [name, places[index]])).toEqual(
    rows.map(({ name, place }) => [name, place]),
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
