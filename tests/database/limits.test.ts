import { afterAll, expect, test } from 'vitest'
import { CHECKS } from '../../supabase/functions/_shared/database-errors.ts'
import { ENTRY_FIELDS, type EntryField, fieldsWith } from '../../supabase/functions/_shared/entry-fields.ts'
import {
  END_REASONS,
  MAX_DAYS,
  MAX_LENGTH,
  MAX_METERS,
  MAX_SECONDS,
  MAX_WEAR,
  READINGS,
  TASK_KINDS,
  TYPES,
} from '../../supabase/functions/_shared/limits.ts'
import {
  DATES,
  DEFAULT_SETTINGS,
  DISTANCES,
  WEEK_STARTS,
} from '../../supabase/functions/_shared/formats/settings.ts'
import { PART_KINDS, POSITIONS } from '../../supabase/functions/_shared/kinds.ts'
import { LINKS, NOT_LINKS } from '../links.ts'
import { openMigratedDatabase } from './databases.ts'

const FIELDS = Object.entries<EntryField>(ENTRY_FIELDS)

const database = await openMigratedDatabase()
afterAll(() => database.close())

// The check constraints of the tables that the owner writes, as PostgreSQL prints them.
const [constraints = []] = await database.run(`
  select relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where contype = 'c' and connamespace = 'public'::regnamespace and has_any_column_privilege('authenticated', conrelid, 'insert')
    or conname in ('access_tokens_name_check', 'entry_files_name_check')`)

test('every check in SQL has a message', async () => {
  const [checks = []] = await database.run(`
    select conname from pg_constraint where contype = 'c' and connamespace in ('public'::regnamespace, 'private'::regnamespace)`)
  expect(Object.keys(CHECKS).toSorted()).toEqual(checks.map(({ conname }) => String(conname)).toSorted())
})

test('SQL limits texts to the same lengths as the forms', () => {
  expect(find(/char_length\((\w+)\) <= (\d+)/g, Number)).toEqual({
    maintenance: Object.fromEntries(
      FIELDS.flatMap(([name, field]) => (field.kind === 'text' ? [[name, field.maxLength]] : [])),
    ),
    ...MAX_LENGTH,
  })
})

test('SQL limits numbers to the same values as the forms', () => {
  expect(find(/\b(\w+)"? <= \(?(\d+)/g, Number)).toMatchObject({
    parts: { earlier_distance: MAX_METERS, earlier_moving_time: MAX_SECONDS },
    service_tasks: { every_distance: MAX_METERS, every_moving_time: MAX_SECONDS, every_days: MAX_DAYS },
    wear_measurements: { value: MAX_WEAR, limit: MAX_WEAR },
  })
})

test('SQL accepts the same lists as the forms', () => {
  expect(find(/\b(\w+)"? = ANY \(ARRAY\[([^\]]+)\]/g, entries)).toEqual({
    maintenance: { type: TYPES, ended_as: END_REASONS, position: POSITIONS },
    service_tasks: { kind: TASK_KINDS },
    wear_measurements: { reading: READINGS },
    settings: { distance: DISTANCES, dates: DATES, week_start: WEEK_STARTS },
  })
})

test('SQL knows the same kinds of parts as the functions and the client', async () => {
  const [kinds] = await database.run('select name, has_ends as "hasEnds" from private.kinds')
  expect(kinds).toEqual(PART_KINDS)
})

test('SQL has the same settings by default as the functions and the client', async () => {
  const [, [row] = []] = await database.run(`
    insert into public.settings default values; select distance, dates, currency, week_start from public.settings`)
  expect(row).toEqual(DEFAULT_SETTINGS)
})

test('SQL searches the same texts as the client', async () => {
  const texts = FIELDS.flatMap(([name, { kind }]) => (kind === 'text' ? [name] : []))
  const [[row] = []] = await database.run(`
    select private.searched_text(jsonb_populate_record(null::public.maintenance, '${JSON.stringify(Object.fromEntries(texts.map((name) => [name, name])))}')) as text`)
  expect(row!['text']).toBe(fieldsWith(({ isSearched }) => isSearched).join(' '))
})

test('SQL accepts the same links as the forms', async () => {
  for (const link of LINKS) expect([link, await refusalOf(link)]).toEqual([link, ''])
  for (const link of [...NOT_LINKS, '', ' '])
    expect([link, await refusalOf(link)]).toEqual([link, expect.stringContaining('maintenance_link_check')])
})

async function refusalOf(link: string): Promise<string> {
  const entry = JSON.stringify({ bikeId: 1, name: 'Chain', link }).replaceAll("'", "''")
  try {
    await database.run(`begin; insert into public.bikes values (1, 'Road');
      insert into public.maintenance ("bikeId", name, link) select "bikeId", name, link from jsonb_populate_record(null::public.maintenance, '${entry}')`)
    return ''
  } catch (cause) {
    return String(cause)
  } finally {
    await database.run('rollback')
  }
}

function entries(list: string): (string | undefined)[] {
  return Array.from(list.matchAll(/'([^']+)'/g), ([, entry]) => entry)
}

/** Collects the column and the value that a pattern finds in the constraints, by table. */
function find<Value>(pattern: RegExp, read: (text: string) => Value) {
  const found: Record<string, Record<string, Value>> = {}
  for (const { table, definition } of constraints)
    for (const [, column = '', text = ''] of String(definition).matchAll(pattern))
      (found[String(table)] ??= {})[column] = read(text)
  return found
}
