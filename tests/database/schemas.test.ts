import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFromMigrations,
  createFromSchemas,
  differencesOf,
  factChanges,
  fillStep,
  migrationBetween,
} from '../../scripts/schemas.ts'
import type { CreatedDatabase } from '../postgres.ts'
import { openCopy, type TestDatabase } from './databases.ts'

let migrations: CreatedDatabase
let schemas: CreatedDatabase
beforeAll(async () => {
  migrations = await createFromMigrations()
  schemas = await createFromSchemas()
})
afterAll(() => Promise.all([migrations.drop(), schemas.drop()]))

async function changedCopy(sql: string): Promise<TestDatabase> {
  const copy = await openCopy(schemas.url)
  await copy.run(sql)
  return copy
}

test('the migrations lead to supabase/schemas (npm run migration <name> writes the difference)', async () => {
  expect(await differencesOf(migrations.url, schemas.url)).toEqual([])
})

describe('our own comparison notices', () => {
  const changes: [what: string, sql: string, fact: RegExp][] = [
    [
      'a view that bypasses row-level security',
      'alter view private.counted_rides reset (security_invoker)',
      /^- relation private\.counted_rides: .*security_invoker/,
    ],
    [
      'a table without row-level security',
      'alter table public.rides disable row level security',
      /^\+ relation public\.rides: .*row security f/,
    ],
    [
      'a policy',
      'alter policy "The owner reads the rides" on public.rides using (true)',
      /^\+ policy .*"qual": "true"/,
    ],
    [
      'a right',
      'revoke select on public.wear_measurements from authenticated',
      /^- right SELECT on public\.wear_measurements for authenticated/,
    ],
    [
      'a right to a column',
      'grant update (name) on public.rides to authenticated',
      /^\+ right UPDATE on public\.rides\.name for authenticated/,
    ],
    [
      'default privileges',
      'alter default privileges in schema public grant select on tables to anon',
      /^\+ right SELECT on new objects in public for anon/,
    ],
    ['a function', 'alter function private.today() volatile', /^- function private\.today\(\): .* STABLE/s],
    [
      "a function's settings",
      'alter function private.sum_rides reset jit',
      /^- function private\.sum_rides.* SET jit/s,
    ],
    ['a trigger', 'drop trigger claim_ownership on auth.users', /^- trigger: .*claim_ownership/],
    [
      'a constraint',
      'alter table public.settings drop constraint settings_dates_check',
      /^- constraint settings_dates_check/,
    ],
    [
      'a comment',
      "comment on column public.rides.gear_id is 'Bike'",
      /^\+ comment on .*public\.rides\.gear_id: Bike/,
    ],
    [
      'the order of columns',
      'alter table public.bikes drop brand; alter table public.bikes add brand text',
      /^\+ order of public\.bikes: .*, brand$/,
    ],
    ['a row', 'insert into public.settings default values', /^\+ row of public\.settings: '/],
  ]
  let differences: string[]
  beforeAll(async () => {
    const changed = await changedCopy(changes.map(([, sql]) => sql).join(';'))
    differences = await factChanges(schemas.url, changed.url)
    await changed.close()
  })
  test.each(changes)('%s', (_what, _sql, fact) => {
    expect(differences).toContainEqual(expect.stringMatching(fact))
  })
})

// As someone edits supabase/schemas.
const EARLIER = `
create table private.sorts (name text primary key, ends text[], wears boolean not null default false);
insert into private.sorts values ('chain', null, true), ('tire', '{front,rear}', true), ('bell', default, default)`

const LATER = `
alter table public.bikes add frame text constraint bikes_frame_check check (frame <> '');
comment on column public.bikes.frame is 'Its material.';
grant select (frame), update (frame) on public.bikes to authenticated;
create view private.bike_frames with (security_invoker = true) as select gear_id, frame from public.bikes;
grant select on private.bike_frames to authenticated;
create table private.brands (name text primary key);
comment on table private.brands is 'Brands of parts.';
alter table private.brands enable row level security;
create policy "Everyone reads the brands" on private.brands for select to authenticated using (true);
grant select on private.brands to authenticated;
insert into private.brands values ('owner''s');
create function private.brand_count() returns bigint
language sql stable security invoker set search_path = '' as $$ select count(*) from private.brands $$;
grant execute on function private.brand_count to authenticated;
select private.track('public.settings');
drop function private.shown_day(timestamp) cascade;
delete from private.sorts where name = 'bell';
update private.sorts set wears = false where name = 'chain';
insert into private.sorts values ('saddle');
alter table private.sorts add family text default 'other';
create function private.fill_frames() returns void language sql as $$ update public.bikes set frame = 'steel' $$`

test('npm run migration writes what leads to changed schemas, their rows, and what fills existing rows', async () => {
  const [current, wanted] = [await changedCopy(EARLIER), await changedCopy(`${EARLIER};${LATER}`)]
  await current.run(await migrationBetween(current.url, wanted.url))
  expect(await differencesOf(current.url, wanted.url)).toEqual([])

  expect(await fillStep(wanted.url, 'brands')).toBe('')
  await current.run(`insert into public.bikes values (1, 'Road'); ${await fillStep(wanted.url, 'frames')}`)
  expect(await current.run('select frame from public.bikes')).toEqual([[{ frame: 'steel' }]])
  await Promise.all([current.close(), wanted.close()])
})
