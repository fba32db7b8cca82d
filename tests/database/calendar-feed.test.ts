import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { nullable } from 'valibot'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { FeedData, Stamps } from '../../supabase/functions/calendar/contract.ts'
import { onlyWorld, world } from '../world.ts'
import { insert, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const TOKEN = createToken()
const OTHER = createToken()
const DAY = 86_400_000

const database = await useDatabase(`
    ${SIGN_IN_OWNER};`)
beforeEach(() =>
  database.run(`truncate private.access_tokens, private.calendar_feed, public.settings;
    ${onlyWorld({ bikes: ['Road', 'Gravel'], parts: [{ id: 1 }] })}`),
)

const { value } = database
const create = (token: string) => value<number>(`public.create_token('${token}', 'Feed', 'calendar')`)
const revoke = (id: number) => value<boolean>(`public.revoke_token(${id})`)
const stamp = (token: string, content: object) =>
  database.read(nullable(Stamps), `public.stamp_calendar_feed('${token}', '${JSON.stringify(content)}')`)
const read = (token: string) => database.read(nullable(FeedData), `public.calendar_feed('${token}', 365)`)

// tests/database/tokens.test.ts tests what all tokens have in common, and access.test.sql which ones open the feed.
test('a token of the scope calendar opens the feed until it is revoked or expires', async () => {
  expect(await read(TOKEN)).toBeNull()
  const id = await create(TOKEN)
  expect(await read(TOKEN)).toMatchObject({
    tasks: [],
    limits: [],
    bikes: { 1: 'Road', 2: 'Gravel' },
    due_since: {},
  })
  await database.run(`update private.access_tokens set expires_at = now()`)
  expect([await read(TOKEN), await stamp(TOKEN, {})]).toEqual([null, null])
  await database.run(`update private.access_tokens set expires_at = null`)
  expect(await read(TOKEN)).not.toBeNull()
  await revoke(id)
  expect([await read(TOKEN), await stamp(TOKEN, {})]).toEqual([null, null])
})

test('an event is only stamped when its own content changes, even if the token changes', async () => {
  await create(TOKEN)
  const first = (await stamp(TOKEN, { 1: 'a', 2: 'b' }))!
  expect(await stamp(TOKEN, { 1: 'a', 2: 'b' })).toEqual(first)
  const second = (await stamp(TOKEN, { 1: 'a', 2: 'moved', 3: 'new' }))!
  expect(second[1]).toEqual(first[1])
  expect(second[2]!.revision).toBe(first[2]!.revision + 1)
  expect(second[2]!.changed_at > first[2]!.changed_at).toBe(true)
  expect(second[3]).toEqual(second[2])
  await create(OTHER)
  expect(await stamp(OTHER, { 1: 'a' })).toEqual({ 1: first[1] })
  // An event that is back has a higher revision than before.
  const third = (await stamp(OTHER, { 1: 'a', 2: 'b' }))!
  expect(third[1]).toEqual(first[1])
  expect(third[2]!.revision).toBeGreaterThan(second[2]!.revision)
  expect(await stamp(OTHER, {})).toEqual({})
})

test('all events of a feed that an older version stamped get a higher revision', async () => {
  await create(TOKEN)
  await database.run(
    `insert into private.calendar_feed (content_hash, revision) values (sha256('{"1": "a"}'), 14)`,
  )
  expect(await stamp(TOKEN, { 1: 'a' })).toMatchObject({ 1: { revision: 15 } })
})

const today = Math.floor(Date.now() / DAY)
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

const rides = fc.array(
  fc.record({
    gear_id: fc.constantFrom(1, 2),
    ago: fc.integer({ min: 1, max: 40 }),
    distance: fc.nat(50),
    is_stationary: fc.boolean(),
  }),
  { maxLength: 40 },
)

test('due_since matches a plain loop over the rides on both bikes of a part', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      rides,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 50, max: 900 }),
      fc.option(fc.integer({ min: 20, max: 60 })),
      fc.option(fc.nat(400)),
      fc.boolean(),
      async (rides, movedAgo, limit, days, earlier, outdoorOnly) => {
        const at = (ago: number, clock: string) => `${dateOf(today - ago)}T${clock}`
        const rows = rides.map(({ gear_id, ago, distance, is_stationary }, index) => ({
          id: index + 1,
          gear_id,
          distance,
          is_stationary,
          departed_at: `${at(ago, '12:00:00')}Z`,
        }))
        const entries = [
          { part: 1, name: 'Chain', from: at(35, '01:00:00'), to: at(movedAgo, '01:00:00') },
          { bike: 2, part: 1, name: 'Chain', from: at(movedAgo, '01:00:00') },
        ]
        const task = {
          part: 1,
          name: 'Wax',
          every_distance: limit,
          every_days: days,
          outdoor_only: outdoorOnly,
        }
        const results = await database.run(`
          ${onlyWorld({ bikes: ['Road', 'Gravel'], entries, tasks: [task] })}
          update private.owner set time_zone = 'UTC';
          ${insert('rides', rows)}
          select private.due_since(1, '${at(35, '01:00:00')}', ${earlier ?? 'null'}, null)::text as since`)
        let usage = earlier ?? 0
        const candidates = days !== null && days <= 35 ? [35 - days] : []
        if (usage >= limit) candidates.push(35)
        for (const { gear_id, ago, distance, is_stationary } of rides.toSorted((a, b) => b.ago - a.ago)) {
          if (ago > 35 || (outdoorOnly && is_stationary)) continue
          if (gear_id === (ago > movedAgo ? 1 : 2)) usage += distance
          if (usage >= limit) {
            candidates.push(ago)
            break
          }
        }
        const since = candidates.length > 0 ? dateOf(today - Math.max(...candidates)) : null
        if (since !== null) found++
        expect(results.at(-1)).toEqual([{ since }])
      },
    ),
    { numRuns: 30 },
  )
  expect(found).toBeGreaterThan(10)
})

test('the feed has the owner’s settings, if they have chosen any', async () => {
  await create(TOKEN)
  expect((await read(TOKEN))!.settings).toBeNull()
  await database.run(`insert into public.settings (distance, dates) values ('km', 'DD.MM.YYYY')`)
  const settings = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'USD', week_start: 'Sunday' }
  expect((await read(TOKEN))!.settings).toEqual(settings)
})

test('the feed shows since when a task has been due', async () => {
  await create(TOKEN)
  const nineDaysAgo = dateOf(today - 9)
  await database.run(`
    update private.owner set time_zone = 'UTC';
    ${world({
      tasks: [
        { bike: 1, name: 'Wash', days: 5 },
        { bike: 1, name: 'Check', days: 50 },
      ],
      events: [
        { task: 1, at: nineDaysAgo },
        { task: 2, at: nineDaysAgo },
      ],
    })}`)
  expect((await read(TOKEN))!.due_since).toEqual({ 1: dateOf(today - 4) })

  // A part that already had more miles than the limit was due from its first day.
  await database.run(
    world({
      parts: [{ id: 900, earlier_distance: 500_000 }],
      entries: [{ part: 900, name: 'Tire', from: dateOf(today - 3) }],
      tasks: [{ id: 3, part: 900, name: 'Rotate', every_distance: 400_000 }],
    }),
  )
  expect((await read(TOKEN))!.due_since).toEqual({ 1: dateOf(today - 4), 3: dateOf(today - 3) })
})
