// oxlint-disable no-restricted-imports -- names are shortened by the same rule on screens and in the database
import { beforeEach, describe, expect, test } from 'vitest'
import { withoutEnds } from '../../supabase/functions/_shared/messages/kind-messages.ts'
import { onlyWorld, type World } from '../world.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)

type Entry = NonNullable<World['entries']>[number]

/** Makes these tires, each a part of its own, the only entries. */
const setUp = (entries: readonly Entry[]) =>
  database.run(
    onlyWorld({
      bikes: ['Road', 'Gravel'],
      parts: entries.map((_, index) => ({ id: index + 1, kind: 'tire' })),
      entries: entries.map((entry, index) => ({ part: index + 1, ...entry })),
    }),
  )

async function rotate(input: object): Promise<{ code?: string; change?: string }> {
  const result = await database
    .run(
      `set role authenticated; select public.run_command('rotate', '${JSON.stringify({ gear_id: 1, kind: 'tire', day: '2024-03-01', ...input })}') as answer`,
    )
    .finally(() => database.run('reset role'))
  return (result[1] as [{ answer: { code?: string; change?: string } }])[0].answer
}

/** Returns every entry as `name position from to`. */
async function log(): Promise<string[]> {
  const [rows] = await database.run(`
    select concat_ws(' ', name, coalesce("position", '?'), "dateStarted"::date, "dateEnded"::date, ended_as) as line
    from public.maintenance order by id`)
  return rows!.map(({ line }) => String(line))
}

const FRONT: Entry = { name: 'Front tire', position: 'front', from: '2024-01-01' }
const REAR: Entry = { name: 'Pro One, rear', position: 'rear', from: '2024-02-01' }
const IN_THE_FUTURE = '2100-01-01'

describe('rotate refuses, and changes nothing:', () => {
  test.each<[why: string, entries: Entry[], input: object, code: string]>([
    ['the day when a part was installed', [FRONT, REAR], { day: '2024-02-01' }, 'RMT13'],
    ['a day before a part was installed', [FRONT, REAR], { day: '2024-01-15' }, 'RMT13'],
    ['a day in the future', [FRONT, REAR], { day: IN_THE_FUTURE }, 'RMT14'],
    ['two parts at one end', [FRONT, { ...FRONT, name: 'Spare' }], {}, 'RMT19'],
    ['two parts at one end and one at the other', [FRONT, REAR, { ...REAR, name: 'Spare' }], {}, 'RMT19'],
    ['a part whose end is unknown', [FRONT, { name: 'Marathon' }], {}, 'RMT19'],
    ['a pair', [{ name: 'Marathon, pair', position: 'both' }], {}, 'RMT19'],
    ['a pair beside a part at one end', [FRONT, { name: 'Pair', position: 'both' }], {}, 'RMT19'],
    ['a kind that the bike has none of', [FRONT, REAR], { kind: 'rotor' }, 'RMT19'],
    ['a kind without ends', [FRONT, REAR], { kind: 'chain' }, 'RMT19'],
    ['a bike without parts', [FRONT, REAR], { gear_id: 2 }, 'RMT19'],
    ['an unknown bike', [FRONT, REAR], { gear_id: 9 }, 'RMT19'],
  ])('%s', async (_, entries, input, code) => {
    await setUp(entries)
    const before = await log()
    expect(await rotate(input)).toMatchObject({ code })
    expect(await log()).toEqual(before)
  })

  test('a part that is on no bike', async () => {
    await setUp([FRONT, { ...REAR, to: '2024-02-15' }])
    const before = await log()
    await expect(rotate({ part_id: 2 })).rejects.toMatchObject({ code: 'RMT12' })
    expect(await log()).toEqual(before)
  })
})

describe('rotate', () => {
  beforeEach(() => setUp([FRONT, REAR]))

  const ROTATED = [
    'Front tire front 2024-01-01 2024-03-01 moved',
    'Pro One, rear rear 2024-02-01 2024-03-01 moved',
  ]

  test.each([
    ['a bike’s tires', {}],
    ['the tires of a part', { gear_id: undefined, kind: undefined, part_id: 2 }],
  ])('puts %s to the other ends', async (_, input) => {
    await rotate(input)
    expect(await log()).toEqual([...ROTATED, 'Front tire rear 2024-03-01', 'Pro One, rear front 2024-03-01'])
  })

  test('takes the ends out of the names', async () => {
    await rotate({ without_words: true })
    expect(await log()).toEqual([...ROTATED, 'Tire rear 2024-03-01', 'Pro One front 2024-03-01'])
  })

  test('moves a single part to the end that is missing', async () => {
    await setUp([FRONT])
    await rotate({})
    expect(await log()).toEqual([ROTATED[0], 'Front tire rear 2024-03-01'])
  })
})

test.each([
  ['Front tire GP 5000', 'Tire GP 5000'],
  ['Pro One, rear', 'Pro One'],
  ['Rear tyre (rear)', 'Tyre'],
  ['SRAM pads – REAR', 'SRAM pads'],
  ['pro one (front)', 'Pro one'],
  ['reartek frontière', 'reartek frontière'],
  ['éclair front', 'Éclair'],
  ['Front', 'Front'],
  ['front_rear, 28 ', 'front_rear, 28 '],
  ['Tire,  front ,30', 'Tire ,30'],
])('a name without ends is the same on screens as in the database: %s', async (name, shorter) => {
  expect(withoutEnds(name)).toBe(shorter)
  expect(await database.value(`private.without_ends('${name}')`)).toBe(shorter)
})
