import { connect } from '../../embedded/postgres/connect.ts'

/**
 * Copies the rows of a tracker's database. `restore` brings back the rows of each table that has changed since, and ends all
 * sessions.
 */
export async function copyRows(url: string) {
  const sql = connect(url)
  await sql.unsafe(COPY)
  return { sql, restore: () => sql`call copied.restore()` }
}

const COPY = `
create schema copied;
create table copied.tables as
  select oid::regclass as stored, format('copied.%I', relname) as copy, null as version, (
    select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
  ) as columns
  from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace);

-- Every insert and update raises the newest row's transaction ID, and a deletion lowers the count.
create function copied.version(stored regclass) returns text language plpgsql as $$
declare version text;
begin
  execute format('select concat(count(*), '' '', max(xmin::text::bigint)) from %s', stored) into version;
  return version;
end $$;

-- Without triggers, which would record the changes, and foreign keys, which would need an order.
create procedure copied.restore() language plpgsql set session_replication_role = replica as $$
declare changed record;
begin
  -- The previous test's requests may still be running. Each transaction reads its session or its sync before it writes. These
  -- locks wait for the open transactions, and later ones find neither.
  lock table auth.sessions, public.ride_syncs;
  delete from auth.sessions;
  for changed in select * from copied.tables where version <> copied.version(stored) loop
    execute format('delete from %s', changed.stored);
    execute format(
      'insert into %s (%s) overriding system value select %2$s from %s', changed.stored, changed.columns, changed.copy);
    update copied.tables set version = copied.version(stored) where stored = changed.stored;
  end loop;
end $$;

do $$
declare original record;
begin
  for original in table copied.tables loop
    execute format('create table %s as table %s', original.copy, original.stored);
  end loop;
  update copied.tables set version = copied.version(stored);
end $$`
