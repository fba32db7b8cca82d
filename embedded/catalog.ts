import type { TransactionSql } from 'postgres'

/** Describes public, private and auth.users, with one string per object or privilege. Equal lists mean equal catalogs. */
export async function catalog(transaction: TransactionSql): Promise<string[]> {
  // With an empty search_path, PostgreSQL prints schema-qualified names.
  await transaction`set local search_path = ''`
  const rows = await transaction.unsafe<{ fact: string }[]>(FACTS)
  await transaction`set local search_path to default`
  return rows.map(({ fact }) => fact).toSorted()
}

const FACTS = `
with schemas as (
  select oid, nspname, nspowner, nspacl from pg_namespace where nspname in ('public', 'private')
), relations as (
  select pg_class.*, pg_class.oid::regclass as name from pg_class join schemas on schemas.oid = relnamespace
), functions as (
  select pg_proc.*, pg_proc.oid::regprocedure as name from pg_proc join schemas on schemas.oid = pronamespace
), columns as (
  select pg_attribute.*, relations.name, relations.relkind from pg_attribute join relations on relations.oid = attrelid
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm', 'f', 'c')
), rights as (
  select 'schema ' || nspname as object, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) as acl from schemas
  union all
  select name::text, aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)))
  from relations where relkind not in ('i', 'I', 'c')
  union all
  select name::text, aclexplode(coalesce(proacl, acldefault('f', proowner))) from functions
  union all
  select format('%s.%I', name, attname), aclexplode(attacl) from columns
  union all
  select 'new objects in ' || coalesce(nspname, 'any schema'), aclexplode(defaclacl)
  from pg_default_acl left join pg_namespace on pg_namespace.oid = defaclnamespace
)
select 'schema ' || nspname as fact from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
union all
select format('extension %s in %s', extname, extnamespace::regnamespace) from pg_extension
union all
select format('publication %s of %s.%s: %s', pubname, schemaname, tablename, attnames) from pg_publication_tables
where schemaname in ('public', 'private')
union all
select format('relation %s: kind %s, owner %s, row security %s %s, %s', name, relkind, relowner::regrole, relrowsecurity,
  relforcerowsecurity, reloptions)
from relations
union all
select format('order of %s: %s', name, string_agg(attname, ', ' order by attnum)) from columns group by name
union all
select format('column %s.%I: %s, not null %s, default %s, identity %s, generated %s, collation %s, storage %s', name, attname,
  format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated, attcollation::regcollation,
  attstorage)
from columns left join pg_attrdef on adrelid = attrelid and adnum = attnum
union all
select format('constraint %s on %s: %s, valid %s', conname, name, pg_get_constraintdef(pg_constraint.oid), convalidated)
from pg_constraint join relations on relations.oid = conrelid
union all
select 'index: ' || pg_get_indexdef(indexrelid) from pg_index join relations on relations.oid = indrelid
union all
select format('view %s: %s', name, pg_get_viewdef(oid)) from relations where relkind in ('v', 'm')
union all
select format('policy %s: %s', polname, to_jsonb(pg_policies) - 'policyname')
from pg_policy join relations on relations.oid = polrelid
join pg_policies on policyname = polname and format('%I.%I', schemaname, tablename)::regclass = polrelid
union all
select format('trigger: %s, enabled %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger
where (tgrelid in (select oid from relations) or tgrelid = to_regclass('auth.users')) and not tgisinternal
union all
select format('function %s: owner %s, %s', name, proowner::regrole, pg_get_functiondef(oid)) from functions where prokind <> 'a'
union all
select format('sequence %s: %s, owned by %s.%I', sequence.name, to_jsonb(pg_sequence) - 'seqrelid', columns.name, attname)
from pg_sequence join relations as sequence on sequence.oid = seqrelid
left join pg_depend on classid = 'pg_class'::regclass and objid = seqrelid and refobjsubid > 0
left join columns on attrelid = refobjid and attnum = refobjsubid
union all
select 'type ' || format_type(pg_type.oid, null) from pg_type join schemas on schemas.oid = typnamespace where typcategory <> 'A'
union all
select format('right %s on %s for %s, grantable %s', (acl).privilege_type, object,
  case (acl).grantee when 0 then 'public' else (acl).grantee::regrole::text end, (acl).is_grantable)
from rights
union all
select format('comment on %s %s: %s', type, identity, description)
from pg_description, pg_identify_object(classoid, objoid, objsubid) where identity ~ '\\m(public|private)\\M'
`
