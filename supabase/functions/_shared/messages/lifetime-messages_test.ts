import assert from 'node:assert/strict'
import type { Family, Group } from '../contracts/lifetimes.ts'
import { US } from '../formats/testing.ts'
import { answerOf, countsOf, lengthOf, titleOf } from './lifetime-messages.ts'

const MILE = 1609

const amounts = (value: number) => ({ distance: value * MILE, moving_time: value * 200 })
const group = (key: string, lengths: number[], facts: Partial<Group> = {}) =>
  ({
    key,
    name: key,
    finished: lengths.length,
    median: null,
    range: {
      distance: [Math.min(...lengths) * MILE, Math.max(...lengths) * MILE],
      moving_time: [0, 0],
    },
    lifetimes: [],
    cost_per_km: 0.01,
    ...facts,
  }) as unknown as Group
const median = (value: number, kind = 'median') =>
  ({ median: { ...amounts(value), kind, moving_time_kind: kind } }) as Partial<Group>
const family = (facts: Partial<Family> = {}): Family => ({
  type: 'Drivetrain',
  kind: 'chain',
  position: null,
  groups: [],
  longest: { distance: null, moving_time: null },
  cheapest: { distance: null, moving_time: null },
  ...facts,
})
const plain = (text: string) => text.replaceAll('\u00A0', ' ')
const counts = (one: Group) => plain(countsOf(one, 'distance', US))
const length = (one: Group) => plain(lengthOf(one, 'distance', US))
const facts = (...lifetimes: object[]) => ({ lifetimes }) as Partial<Group>

for (const [kind, position, type, title] of [
  ['chain', null, 'Drivetrain', 'Chains'],
  ['tire', 'rear', 'Tires', 'Rear tires'],
  ['pedals', null, 'Pedals', 'Pedals'],
  ['tire', 'both', 'Tires', 'Tires (pair)'],
  ['brake pads', 'both', 'Brakes', 'Brake pads, both'],
  [null, null, 'Drivetrain', 'Other drivetrain'],
  [null, null, 'Frame', 'Frame'],
  [null, null, null, 'No type'],
] as const) {
  Deno.test(`names the kind ${kind} at ${position} of the type ${type}`, () => {
    assert.equal(titleOf(family({ kind, position, type }), [family()]), title)
  })
}

Deno.test('says which name lasts longest and which costs least', () => {
  const groups = [
    group('KMC', [1, 2, 3], median(2688)),
    group('SRAM', [751]),
    group('Wippermann', [1826, 2597]),
  ]
  const answer = (longest: string | null, cheapest: string | null = null) =>
    plain(
      answerOf(
        family({
          longest: { distance: longest, moving_time: null },
          cheapest: { distance: cheapest, moving_time: null },
        }),
        groups,
        'distance',
        US,
      ),
    )
  assert.equal(answer(null), 'Too few worn-out parts to say which costs least.')
  assert.equal(answer('SRAM'), 'Longest: SRAM, 751 mi. Too few worn-out parts to say which costs least.')
  assert.equal(
    answer('Wippermann'),
    'Longest: Wippermann, 1,826 and 2,597 mi. Too few worn-out parts to say which costs least.',
  )
  assert.equal(answer('KMC', 'SRAM'), 'Longest: KMC, about 2,690 mi. Cheapest: SRAM, $16.09 per 1,000 mi.')
})

Deno.test('says how long parts of a name last, and how they ended', () => {
  const running = { running: true, finished: false, ...amounts(1487) }
  const early = { running: false, finished: false, ...amounts(900) }
  const worn = { running: false, finished: true, ...amounts(751) }
  assert.equal(length(group('KMC', [1, 2, 3], median(2688, 'over'))), 'over 2,688 mi')
  assert.equal(length(group('KMC', [], { range: null, ...facts(running, early) })), 'over 1,487 mi')
  assert.equal(length(group('KMC', [], { range: null })), '–')
  assert.equal(
    counts(group('KMC', [751], facts(running, early, worn))),
    '1 worn out, 1 ended early at 900 mi, 1 still in use at 1,487 mi',
  )
  const unused = { ...running, ...amounts(0) }
  assert.equal(
    counts(group('KMC', [], facts(running, early, unused, { ...running, ...amounts(12) }))),
    '1 ended early at 900 mi, 3 still in use at 12 and 1,487 mi',
  )
  assert.equal(counts(group('KMC', [], facts(running))), '1 still in use')
  assert.equal(
    counts(group('KMC', [1, 2, 3], { ...median(2), ...facts(running) })),
    '3 worn out, 1 still in use',
  )
})
