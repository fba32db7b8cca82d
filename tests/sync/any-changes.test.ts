import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTracker, type Tracker } from './tracker.ts'
import { trip } from './trips.ts'
import { cases } from '../cases.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
afterAll(() => tracker.close())

interface Listed {
  id: number
  /** Hours since the start of 2026. */
  start: number
  name: string
  gear: number | null
  isBroken: boolean
}

const inOrder = (rides: Listed[]) => rides.toSorted((a, b) => b.start - a.start || b.id - a.id)

const instant = (start: number) => new Date(Date.UTC(2026, 0, 1) + start * 3_600_000).toISOString()

const toTrip = ({ id, start, name, gear, isBroken }: Listed) =>
  trip(id, {
    name,
    gear_id: gear,
    departed_at: instant(start),
    created_at: instant(start + (id % 3)),
    ...(isBroken && { distance: 'far' }),
  })

/** Returns what a check compares. */
const newestOf = (rides: Listed[]) =>
  new Map(
    inOrder(rides)
      .slice(0, 20)
      .map(({ isBroken, ...ride }) => [ride.id, isBroken ? null : ride]),
  )

const anyChange = fc.record({
  kind: fc.constantFrom('upload', 'upload', 'import', 'rename', 'gear', 'move', 'delete', 'break', 'repair'),
  /** The changed ride's position, as a fraction of the list. */
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  /** The start of a new or moved ride. Some starts are equal, and some are in the future. */
  start: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(100_000), fc.integer({ min: 40, max: 60 })),
})
type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

function change(rides: Listed[], { kind, at, start }: Change, id: number): Listed[] {
  const list = inOrder(rides)
  const place = Math.floor(at * list.length)
  const edit = (edits: Partial<Listed>) =>
    list.map((ride, index) => (index === place ? { ...ride, ...edits } : ride))
  const added = (startOfNew: number) => [
    ...list,
    { id, start: startOfNew, name: `Ride ${id}`, gear: 1, isBroken: false },
  ]
  if (kind === 'upload') return added((list.find((ride) => ride.start < 100_000)?.start ?? 0) + (start % 3))
  if (kind === 'import') return added(start % 13)
  if (kind === 'rename') return edit({ name: `Renamed ${id}` })
  if (kind === 'gear') return edit({ gear: id % 2 ? id : null })
  if (kind === 'move') return edit({ start })
  // Keeps at least one ride, because syncs doubt empty lists.
  if (kind === 'delete') return list.length > 1 ? list.filter((_, index) => index !== place) : list
  if (kind === 'repair') return edit({ isBroken: false })
  // Breaks only a third of the rows, because a sync fails if most are broken.
  return list.filter(({ isBroken }) => isBroken).length * 3 + 3 < list.length
    ? edit({ isBroken: true })
    : list
}

const anyStart = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(20), fc.constant(100_000))
const anyAccount = fc.oneof(
  fc.array(anyStart, { minLength: 1, maxLength: 22 }),
  fc.array(anyStart, { minLength: 19, maxLength: 45 }),
)

const stored = () =>
  tracker.project.query<object>(`
    select id, name, gear_id, distance::text, (extract(epoch from departed_at - '2026-01-01Z') / 3600)::integer as start
    from public.rides order by id`)
const versions = () =>
  tracker.project.query('select id, xmin::text, xmax::text, ctid::text from public.rides')

/** Returns the rides expected after a sync. If a row is unreadable, the stored ride stays unchanged. */
function sync(before: ReadonlyMap<number, Listed>, list: Listed[]): Map<number, Listed> {
  const pairs = list.flatMap((ride): [number, Listed][] => {
    const next = ride.isBroken ? before.get(ride.id) : ride
    return next ? [[ride.id, next]] : []
  })
  return new Map(pairs)
}
const rowsOf = (rides: ReadonlyMap<number, Listed>) =>
  [...rides.values()]
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, start, name, gear }) => ({
      id,
      name,
      gear_id: gear,
      distance: `${20_000 + id + 0.4}`,
      start,
    }))

const isSynced = ({ body }: Awaited<ReturnType<Tracker['check']>>) => {
  expect(body.status).toMatch(/^(?:ok|unchanged)$/)
  return body.status === 'ok'
}

test('checks sync changes of the newest rides immediately and other changes within six hours, and write nothing else', async () => {
  const anyDay = fc.record({
    starts: anyAccount,
    steps: fc.array(fc.array(anyChange, { maxLength: 3 }), { maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(anyDay, async ({ starts, steps }) => {
      await tracker.reset()
      let id = starts.length
      let rides = starts.map((start, index): Listed => ({
        id: index + 1,
        start,
        name: 'Ride',
        gear: 1,
        isBroken: false,
      }))
      const serve = () => (tracker.rwgps.behavior.trips = inOrder(rides).map(toTrip))
      serve()
      expect(isSynced(await tracker.update('schedule'))).toBe(true)
      let expected = sync(new Map(), rides)
      let last = inOrder(rides)

      for (const changes of steps) {
        for (const one of changes) rides = change(rides, one, ++id)
        serve()
        const mustSync = rides.length !== last.length || !isDeepStrictEqual(newestOf(rides), newestOf(last))

        const written = await versions()
        const hasSynced = isSynced(await tracker.check())
        expect(hasSynced).toBe(mustSync)
        if (hasSynced) [expected, last] = [sync(expected, rides), inOrder(rides)]
        expect(await stored()).toEqual(rowsOf(expected))
        expect(hasSynced || isDeepStrictEqual(await versions(), written)).toBe(true)
        // No list may cause a full sync on every check.
        expect(isSynced(await tracker.check())).toBe(false)
      }

      await tracker.pass('6 hours')
      expect(isSynced(await tracker.check())).toBe(true)
      expect(await stored()).toEqual(rowsOf(sync(expected, rides)))
    }),
    // The limit also stops the search for a smaller counterexample.
    { numRuns: cases(25), interruptAfterTimeLimit: 60_000 },
  )
})
