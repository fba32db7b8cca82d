import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onlyWorld } from '../world.ts'
import { insert, literal, SIGN_IN_OWNER, useDatabase } from './databases.ts'
import { isSomePartInTwoPlaces, onePeriod, type Period } from './places.ts'
import { cases } from '../cases.ts'

const database = await useDatabase(SIGN_IN_OWNER)

/** Replaces the log. */
const write = (parts: number, items: object[]) =>
  database.run(
    onlyWorld({
      bikes: { 7: 'Road', 8: 'Gravel' },
      parts: Array.from({ length: parts }, (_, index) => ({ id: index + 1 })),
      lastId: 1000,
    }) + insert('maintenance', items),
  )

type Outcome = { answer: { written: number; refused?: Record<string, string> }; change: string | null }
const run = (plan: object) => database.value<Outcome>(`public.run_command('import_items', ${literal(plan)})`)

const everything = () =>
  database.value(`(select jsonb_agg(row) from (
    select to_jsonb(item) as row from public.maintenance as item union all select to_jsonb(part) from public.parts as part
    union all select to_jsonb(change) from public.changes as change order by 1) as rows)`)

// The log itself never has a part in two places.
const stored = fc
  .array(onePeriod, { maxLength: 5 })
  .filter((periods) => !isSomePartInTwoPlaces(periods))
  .map((periods) => periods.map((period, place) => Object.assign({ id: place + 1, name: 'Chain' }, period)))
const edits = fc.array(fc.record({ nth: fc.nat(), after: onePeriod }), { maxLength: 3 })
const additions = fc.array(onePeriod, { maxLength: 3 })

test('a preview writes nothing and refuses lines until no part is in two places, so the rest can be imported', async () => {
  await fc.assert(
    fc.asyncProperty(stored, edits, additions, async (items, edited, periods) => {
      await write(3, items)
      const after = new Map(
        edited.flatMap(({ nth, after: { dateStarted, dateEnded } }) => {
          const item = items[nth % items.length]
          return item ? [[item.id, { dateStarted, dateEnded }]] : []
        }),
      )
      const changed = Array.from(after, ([id, period]) => ({ before: { id }, after: period, line: id }))
      const added = periods.map((period, place) => {
        const joined = items.find(({ part_id }) => part_id === period.part_id)
        return { ...period, name: 'Tire', cost: 0, part_of: joined?.id ?? null, line: 10 + place }
      })
      const plan = { added, changed, records: items.length, newest: items.length }
      const before = await everything()
      const { answer, change } = await run({ ...plan, dry_run: true })
      expect([change, await everything()]).toEqual([null, before])

      const lines = (isKept: (line: number) => boolean): Period[] => [
        ...items.map((item) => (isKept(item.id) ? { ...item, ...after.get(item.id) } : item)),
        ...added.filter(({ line }) => isKept(line)),
      ]
      const isKept = (line: number) => !Object.hasOwn(answer.refused!, line)
      expect(isSomePartInTwoPlaces(lines(isKept))).toBe(false)
      expect(isSomePartInTwoPlaces(lines(() => true))).toBe(Object.keys(answer.refused!).length > 0)

      const [kept, edits] = [added, changed].map((rows) => rows.filter(({ line }) => isKept(line)))
      expect((await run({ ...plan, added: kept, changed: edits })).answer).toEqual({
        written: answer.written,
      })
    }),
    { numRuns: cases(100) },
  )
})

test('a preview says where the part is at that time', async () => {
  const chain = { bikeId: 7, name: 'Chain', dateStarted: '2024-01-10T01:00:00' }
  await write(1, [{ id: 1, part_id: 1, ...chain }])
  const saddle = { bikeId: 8, name: 'Saddle', part_id: 5, dateStarted: '2024-02-01T01:00:00' }
  const added = [
    { ...chain, bikeId: 8, part_of: 1, line: 4 },
    { ...saddle, line: 5 },
    { ...saddle, line: 6 },
  ]
  const { answer } = await run({ added, changed: [], records: 1, newest: 1, dry_run: true })
  expect(answer).toEqual({
    written: 1,
    refused: {
      4: 'This part has been on Road since 01/10/2024.',
      6: 'This part has been on Gravel since 02/01/2024.',
    },
  })
})
