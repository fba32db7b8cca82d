// The upgrade from version 1.0 moves what that version read from names into columns, so every answer stays as it was.
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { describe, expect, test } from 'vitest'
import { restore } from '../backups.ts'
import { FORMER_BACKUP, formerMigrations } from '../version-1.0.ts'
import { type Answers, answersOf, narrow } from './all-answers.ts'
import { insert } from './databases.ts'
import { type FormerLog, madeUpLog, sampleRows } from './former-logs.ts'
import { useFormer } from './upgrades.ts'

const OWNER = randomUUID()

const { openFormer, upgrade } = await useFormer(
  formerMigrations,
  (sql) => sql`insert into auth.users (id) values (${OWNER})`,
)

const store = (log: FormerLog) => (sql: Sql) =>
  sql.unsafe(
    Object.entries(log)
      .map(([table, rows]) => insert(table, rows))
      .join('\n'),
  )

const hours = 12 - new Date().getUTCHours()
/** A time zone in which it is about noon, so the day is the same before and after. These names count hours to the west. */
const AT_NOON = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`

interface Exceptions {
  /** Their names. */
  parts: Map<number, string>
  items: Set<number>
  bikes: Set<number>
}

/** Returns what may change: parts with a name of two parts, of which the first counts, or whose periods differ, of which the latest counts. */
async function exceptionsOf(sql: Sql): Promise<Exceptions> {
  const rows = await sql<{ part: number; items: number[]; bikes: number[]; names: string }[]>`
    select part_id::integer as part, array_agg(item.id::integer) as items, array_agg("bikeId"::integer) as bikes,
      string_agg(distinct name, ' / ') as names
    from public.maintenance as item cross join lateral (
      select array(select distinct family from private.kind_places as place where place.id = item.id order by 1) as families
    ) as known
    group by part_id having count(distinct families) > 1 or bool_or(cardinality(families) > 1)`
  return {
    parts: new Map(rows.map(({ part, names }) => [part, names])),
    items: new Set(rows.flatMap(({ items }) => items)),
    bikes: new Set(rows.flatMap(({ bikes }) => bikes)),
  }
}

/** Whether an answer may change. What parts are decides only what they are called, what they replace, and what looks wrong. */
function mayChange({ kind, id, bike }: Answers[string], { parts, items, bikes }: Exceptions): boolean {
  if (kind === 'part') return parts.has(id)
  if (kind === 'item') return items.has(id)
  return kind === 'replaced or checked' && bikes.has(bike)
}

describe('no answer changes, but for names of two parts and parts whose periods differ', () => {
  test.each<[string, (sql: Sql) => Promise<unknown>, string[]]>([
    ['of the sample', store(sampleRows(new Date())), []],
    ['of a log that version 1.0 wrote', (sql) => restore(sql, FORMER_BACKUP), []],
    [
      'of a made-up log',
      store(madeUpLog('one')),
      ['Cassette + chain', 'Continental GP 5000 28, front / Toestraps'],
    ],
    [
      'of another made-up log',
      store(madeUpLog('two')),
      [
        'Brake pads, front / Studded tires, pair (in the garage)',
        'Chain and cassette',
        'Front and rear tires / KMC X11 chain / Shimano SM-BB52 bottom bracket',
      ],
    ],
  ])('%s', async (_, fill, names) => {
    const sql = await openFormer()
    await fill(sql)
    await sql`update private.owner set time_zone = ${AT_NOON}`
    const exceptions = await exceptionsOf(sql)
    const before = await answersOf(sql, OWNER)
    await upgrade(sql)
    const after = await answersOf(sql, OWNER)

    expect([...new Set(exceptions.parts.values())].toSorted()).toEqual(names)
    const asked = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const changed = asked.filter((question) => {
      const [was, is] = [before[question]?.answer, after[question]?.answer]
      return JSON.stringify(narrow(is, was)) !== JSON.stringify(was)
    })
    const isExpected = (question: string) => mayChange((before[question] ?? after[question])!, exceptions)
    expect(changed.filter((question) => !isExpected(question))).toEqual([])
    // The exceptions are real.
    expect(changed.length > 0).toBe(names.length > 0)
  })
})
