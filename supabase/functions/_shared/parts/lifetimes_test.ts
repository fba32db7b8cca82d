import assert from 'node:assert/strict'
import type { Lifetime, UsedItem } from '../contracts/lifetimes.ts'
import {
  compareGroups,
  familiesOf,
  groupLifetimes,
  lifetimesByEnd,
  lifetimesOf,
  ratesOf,
} from './lifetimes.ts'
import { chain, chainItem, chainTotals } from '../testing.ts'

const chains = (name: string, ...kilometers: number[]) =>
  kilometers.map((km) => chain({ name, distance: km * 1000 }))
const compare = (...lists: Lifetime[][]) => compareGroups(groupLifetimes(lists.flat()))
const single = (lifetimes: Lifetime[]) => {
  const [group, ...others] = groupLifetimes(lifetimes)
  assert.ok(group)
  assert.deepEqual(others, [])
  return group
}

Deno.test('names that differ in case and spaces are one group, with the latest spelling', () => {
  const { name, lifetimes } = single([
    chain({ name: 'KMC X11' }),
    chain({ name: ' kmc  x11', since: '2025-02-01T01:00:00' }),
    chain({ name: 'KMCX11' }),
  ])
  assert.equal(name, ' kmc  x11')
  assert.equal(lifetimes.length, 3)
})

Deno.test('the same name of another type is another group', () => {
  assert.equal(groupLifetimes([chain({}), chain({ type: 'Brakes' }), chain({ type: null })]).length, 3)
})

Deno.test('only worn parts and those without a reason are finished', () => {
  const group = single([
    chain({ distance: 2_000_000, ended_as: 'worn' }),
    chain({ distance: 3_000_000, ended_as: null }),
    chain({ distance: 4_000_000, ended_as: null }),
    ...['damaged', 'stored', 'moved', 'sold'].map((ended_as) => chain({ distance: 100_000, ended_as })),
    chain({ distance: 100_000, until: null }),
  ])
  assert.equal(group.finished, 3)
  assert.equal(group.ended_without_reason, 2)
  assert.equal(group.median?.distance, 3_000_000)
  assert.deepEqual(group.range?.distance, [2_000_000, 4_000_000])
})

Deno.test('a group without ended parts has no median, range or cost per mile', () => {
  const { median, range, cost_per_km, lifetimes } = single([chain({ until: null, cost: 40 })])
  assert.deepEqual([median, range, cost_per_km], [null, null, null])
  assert.equal(lifetimes[0]?.cost_per_km, 40 / 2000)
})

Deno.test('a part without usage has no rates and does not count in its group', () => {
  const none = { rides: 0, distance: 0, moving_time: 0, cost: 500 }
  const unused = single([chain(none)])
  assert.deepEqual(
    [unused.median, unused.range, unused.cost_per_km, unused.cost_per_hour],
    [null, null, null, null],
  )
  assert.deepEqual([unused.lifetimes[0]?.cost_per_km, unused.lifetimes[0]?.cost_per_hour], [null, null])
  const group = single([chain(none), chain({ distance: 2_000_000, cost: 20 })])
  assert.deepEqual([group.finished, group.cost_per_km], [1, 0.01])
})

Deno.test('a median or a range needs three finished lifetimes with usage', () => {
  const others = [chain({ rides: 0, distance: 0 }), chain({ until: null, distance: 15_000_000 })]
  const two = single([...chains('Chain', 1000, 2000), ...others])
  assert.deepEqual([two.finished, two.median, two.has_range], [2, null, false])
  const three = single([...chains('Chain', 1000, 2000, 3000), ...others])
  assert.deepEqual([three.finished, three.median?.distance, three.has_range], [3, 2_500_000, true])
})

Deno.test("a part without a price has no rate and does not lower its group's rate", () => {
  const [free, serviced] = lifetimesOf({
    items: [chainItem({ id: 1 }), chainItem({ id: 2 })],
    parts: [chainTotals({ part_id: 1, price: 0, cost: 0 }), chainTotals({ part_id: 2, price: 0, cost: 20 })],
  })
  assert.ok(free && serviced)
  for (const part of [free, serviced]) assert.deepEqual([part.cost_per_km, part.cost_per_hour], [null, null])
  assert.equal(serviced.cost, 20)
  const priced = chain({ distance: 2_000_000, cost: 40 })
  assert.equal(single([free, serviced, priced]).cost_per_km, 40 / 2000)
  assert.equal(single([free, serviced]).cost_per_km, null)
  assert.deepEqual(ratesOf([{ cost: 0, distance: 1000, moving_time: 3600 }]), {
    cost_per_km: null,
    cost_per_hour: null,
  })
})

Deno.test('earlier miles without hours give no hourly rate, and the hours are a lower bound', () => {
  const known = [1, 2, 3].map((n) => chain({ distance: n * 1e6, moving_time: n * 3600, cost: 30 }))
  const miles = chain({ distance: 9e6, moving_time: 9 * 3600, cost: 30, earlier_distance: 8e6 })
  assert.deepEqual([miles.distance, miles.cost_per_km, miles.cost_per_hour], [9e6, 30 / 9000, null])
  const { median, range, cost_per_km, cost_per_hour } = single([...known, miles])
  assert.deepEqual([cost_per_km, cost_per_hour], [120 / 15_000, 90 / 6])
  assert.deepEqual([median?.distance, median?.kind], [2.5e6, 'median'])
  assert.deepEqual([median?.moving_time, median?.moving_time_kind], [2.5 * 3600, 'kaplan_meier'])
  assert.deepEqual(range, { distance: [1e6, 9e6], moving_time: [3600, 3 * 3600] })
  const unknown = single([miles, miles, miles])
  assert.deepEqual([unknown.median?.moving_time_kind, unknown.cost_per_hour], ['over', null])

  const hours = chain({ distance: 1e6, moving_time: 7200, cost: 30, earlier_moving_time: 3600 })
  assert.deepEqual([hours.cost_per_km, hours.cost_per_hour], [null, 15])
  const nothing = chain({ distance: 1e6, moving_time: 3600, cost: 30, earlier_distance: 0 })
  assert.equal(nothing.cost_per_hour, 30)
})

Deno.test('the cost of a group is a ratio of sums, and a refund lowers it', () => {
  const { cost_per_km, cost_per_hour } = single([
    chain({ distance: 1_000_000, moving_time: 36_000, cost: 90 }),
    chain({ distance: 3_000_000, moving_time: 108_000, cost: -10 }),
  ])
  assert.equal(cost_per_km, 80 / 4000)
  assert.equal(cost_per_hour, 80 / 40)
})

Deno.test('"lasted longer" needs four lifetimes each, without overlap', () => {
  const long = chains('Long', 4000, 4100, 4200, 4300)
  assert.deepEqual(compare(long, chains('Short', 1000, 2000, 3000, 3900)), [
    {
      type: 'Drivetrain',
      longer: 'Long',
      longer_key: 'Drivetrain\nlong',
      shorter: 'Short',
      shorter_key: 'Drivetrain\nshort',
    },
  ])
  assert.deepEqual(compare(long, chains('Short', 1000, 2000, 3000)), [])
  assert.deepEqual(compare(long, chains('Short', 1000, 2000, 3000, 4000)), [])
  // A part of the shorter group is still in use and has already lasted longer.
  const running = chain({ name: 'Short', distance: 4_050_000, until: null })
  assert.deepEqual(compare(long, [...chains('Short', 1000, 2000, 3000, 3900), running]), [])
  assert.equal(compare(long, shortKind('chain')).length, 1)
  assert.deepEqual(compare(long, shortKind('cassette')), [])
  const unknown = long.map((part) => Object.assign({}, part, { kind: null }))
  assert.deepEqual(compare(unknown, shortKind(null)), [])
})

function shortKind(kind: Lifetime['kind']): Lifetime[] {
  return [100, 200, 300, 400].map((km) => chain({ name: 'Short', kind, distance: km * 1000 }))
}

const comparable = (...lists: Lifetime[][]) =>
  groupLifetimes(lists.flat()).map(({ is_comparable }) => is_comparable)

Deno.test('a group is comparable if another one of its kind also has four finished lifetimes', () => {
  const four = chains('One', 1000, 2000, 3000, 4000)
  const cassettes = [1, 2, 3, 4].map((km) => chain({ name: 'Two', kind: 'cassette', distance: km * 1000 }))
  assert.deepEqual(comparable(four, cassettes), [false, false])
  assert.deepEqual(comparable(four, chains('Other', 1000, 2000, 3000)), [false, false])
  assert.deepEqual(comparable(four, chains('Other', 1, 2, 3, 4), chains('Rare', 1)), [true, true, false])
})

Deno.test('groups thousands of parts', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    chain({
      name: `Part ${index % 7}`,
      distance: 1000 + ((index * 7919) % 4001),
      ...(index % 5 === 0 && { until: null }),
    }),
  )
  const groups = groupLifetimes(many)
  assert.equal(groups.length, 7)
  assert.equal(
    groups.reduce((count, { lifetimes }) => count + lifetimes.length, 0),
    5000,
  )
})

Deno.test('a planned part has no lifetime yet', () => {
  const planned = chainItem({ since: '2099-01-01T01:00:00', until: null, was_installed: false })
  assert.deepEqual(lifetimesOf({ items: [planned], parts: [chainTotals()] }), [])
})

Deno.test('a spare is only listed if wanted, until it was installed', () => {
  const at = { since: '2025-02-01T01:00:00', until: '2025-02-01T01:00:00' }
  const spare = chainItem({ ...at, ended_as: 'stored' })
  const work = chainItem({ ...at, id: 2, part_id: 2, ended_as: null })
  const parts = [chainTotals(), chainTotals({ part_id: 2 })]
  assert.deepEqual(lifetimesOf({ items: [spare, work], parts }), [])
  const listed = (items: UsedItem[]) => lifetimesOf({ items, parts }, true).map(({ item_id }) => item_id)
  assert.deepEqual(listed([spare, work]), [1])
  assert.deepEqual(listed([spare, work, chainItem({ id: 3, part_id: 1, until: null })]), [3])
})

Deno.test('a lifetime has the name and place of the last install period, and the totals of the part', () => {
  const totals = chainTotals({ price: 65, cost: 75 })
  const [part, ...others] = lifetimesOf({
    items: [
      chainItem({ id: 3, part_id: 1, gear_id: 2, name: 'KMC', since: '2025-06-01T01:00:00', until: null }),
      chainItem({ id: 2, part_id: 1, since: '2025-02-01T01:00:00', until: '2025-02-01T01:00:00' }),
      chainItem({ id: 1 }),
      chainItem({ id: 4, since: '2025-02-01T01:00:00', until: '2025-02-01T01:00:00' }),
    ],
    parts: [totals, chainTotals({ part_id: 4 })],
  })
  assert.deepEqual(others, [])
  assert.deepEqual(part, {
    ...totals,
    item_id: 3,
    gear_id: 2,
    type: 'Drivetrain',
    name: 'KMC',
    position: null,
    ended_as: null,
    running: true,
    finished: false,
    started: '2025-01-01T01:00:00',
    ended: null,
    item_ids: [1, 3],
    gear_ids: [1, 2],
    cost_per_km: 75 / 2000,
    cost_per_hour: 75 / 100,
  })
})

Deno.test('a part that was at both ends has a lifetime at each, and only wore out at its last one', () => {
  const sums = { rides: 1, distance: 1_000_000, moving_time: 9000, days: 30 }
  const rotated = {
    items: [
      chainItem({ id: 1, part_id: 1, position: 'front', until: '2025-03-01T01:00:00', ended_as: 'moved' }),
      chainItem({ id: 2, part_id: 1, position: 'rear', since: '2025-03-01T01:00:00', cost: 0 }),
    ],
    parts: [
      chainTotals({
        kind: 'tire',
        earlier_distance: 5000,
        by_position: { front: sums, rear: { ...sums, distance: 2_000_000 } },
      }),
    ],
  }
  const shown = lifetimesByEnd(rotated).map(
    ({ position, distance, ended_as, finished, item_ids, cost_per_km }) => [
      position,
      distance,
      ended_as,
      finished,
      item_ids,
      cost_per_km,
    ],
  )
  assert.deepEqual(shown, [
    ['front', 1_000_000, 'moved', false, [1], null],
    ['rear', 2_000_000, 'worn', true, [2], null],
  ])
  assert.deepEqual(
    familiesOf(groupLifetimes(lifetimesByEnd(rotated))).map(({ kind, position }) => [kind, position]),
    [
      ['tire', 'rear'],
      ['tire', 'front'],
    ],
  )
})

const families = (...lists: Lifetime[][]) => familiesOf(groupLifetimes(lists.flat()))
const longestOf = (...lists: Lifetime[][]) => families(...lists)[0]?.longest.distance
const cheapestOf = (...lists: Lifetime[][]) => families(...lists)[0]?.cheapest
const priced = (name: string, cost: number, count: number) =>
  Array.from({ length: count }, () => chain({ name, cost, moving_time: 100_000 * cost ** 2 }))

Deno.test('families are groups of a kind, or of a type if the kind is unknown, most finished parts first', () => {
  const saddle = chain({ type: 'Saddle', name: 'Arione', kind: 'saddle' })
  const guide = chain({ name: 'Chain guide', kind: null, until: null })
  assert.deepEqual(
    families([guide, saddle], chains('KMC', 1000), chains('Shimano', 1000, 2000)).map(
      ({ type, kind, groups }) => [type, kind, groups],
    ),
    [
      ['Drivetrain', 'chain', ['Drivetrain\nshimano', 'Drivetrain\nkmc']],
      ['Saddle', 'saddle', ['Saddle\narione']],
      ['Drivetrain', null, ['Drivetrain\nchainguide']],
    ],
  )
})

Deno.test('the longest of a family needs one finished part', () => {
  const open = chain({ name: 'Open', distance: 9_000_000, until: null })
  assert.equal(longestOf([open]), null)
  assert.equal(longestOf([open], chains('One', 1000)), 'Drivetrain\none')
  // Two lifetimes are ranked by their mean, three by their median.
  assert.equal(longestOf(chains('One', 1500), chains('Two', 1000, 2200)), 'Drivetrain\ntwo')
  assert.equal(longestOf(chains('Two', 1000, 2200), chains('Three', 1000, 1500, 9000)), 'Drivetrain\ntwo')
})

Deno.test('the cheapest of a family needs two names with three finished parts that have a price', () => {
  const none = { distance: null, moving_time: null }
  assert.deepEqual(cheapestOf(priced('A', 20, 9)), none)
  assert.deepEqual(cheapestOf(priced('A', 20, 3), priced('B', 30, 2)), none)
  assert.deepEqual(cheapestOf(priced('A', 20, 3), priced('B', 30, 2), priced('B', 0, 1)), none)
  // B was ridden more slowly.
  assert.deepEqual(cheapestOf(priced('A', 20, 3), priced('B', 30, 3), priced('Free', 0, 3)), {
    distance: 'Drivetrain\na',
    moving_time: 'Drivetrain\nb',
  })
})
