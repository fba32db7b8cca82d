// Settings of hosted projects for the data API: they load the extension safeupdate, which is not on npm, and a search_path.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMigratedDatabase, type TestDatabase } from './databases.ts'

/** Lists the updates and deletes without a condition of their own. */
function withoutWhere(body: string): string[] {
  const code = body.replaceAll(/--.*|''/g, '')
  return [...code.matchAll(/\b(?:(?<!for |do |or |on |before |after )update(?! of\b)|delete from)\s/g)]
    .map(({ index }) => statementAt(code, index))
    .filter((statement) => !/\bwhere\b/.test(statement))
}

/** Returns a statement up to its end, without what is in brackets and in texts. */
function statementAt(code: string, start: number): string {
  let depth = 0
  let statement = ''
  // A statement in a text ends with it.
  const isText = (code.slice(0, start).match(/'/g) ?? []).length % 2 === 1
  for (const [part] of code.slice(start).matchAll(/'[^']*'|[^]/g)) {
    if (part === '(') depth += 1
    if (part === ')') depth -= 1
    if (depth < 0 || part === ';' || (isText && part.startsWith("'"))) break
    if (depth === 0 && part.length === 1) statement += part
  }
  return statement
}

test.each([
  ['update a set b = 1;', 1],
  ["update a set b = 'where', c = (select d from e where f);", 1],
  ['with gone as (delete from a returning *) select * from gone where b;', 1],
  ["execute format('delete from %s', 'where')", 1],
  ["execute format('delete from %s where true', name)", 0],
  ["update a set b = (select c from d) where e = ';';", 0],
  ['select a from b for update; insert into a values (1) on conflict do update set b = 1;', 0],
  ['-- update a set\ndelete from a where b', 0],
])('finds what hosted projects refuse in %j', (body, count) => {
  expect(withoutWhere(body)).toHaveLength(count)
})

let database: TestDatabase
beforeAll(async () => {
  database = await openMigratedDatabase()
})
afterAll(() => database.close())

test('no function updates or deletes rows without a condition', async () => {
  const [functions] = await database.run(`
    select proname as name, prosrc as body from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`)
  const writing = functions!.filter(({ body }) => /\b(?:update|delete from)\b/.test(String(body)))
  expect(writing.length).toBeGreaterThan(30)
  expect(
    functions!.flatMap(({ name, body }) => withoutWhere(String(body)).map((found) => [name, found])),
  ).toEqual([])
})

test('every function sets its own search_path, whatever the project’s is', async () => {
  expect(
    await database.value(`(select coalesce(array_agg(proname), '{}') from pg_proc
      where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and not coalesce('search_path=""' = any (proconfig), false))`),
  ).toEqual([])
})
