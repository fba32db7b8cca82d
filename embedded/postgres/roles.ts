import type { Sql, TransactionSql } from 'postgres'
import { StartError } from '../settings.ts'

// The grants that are missing until this session may act as the roles that every Supabase project has. Databases on the same
// server share roles. Changing a role fails if another tracker changes it at the same time, so list only what is missing.
const MISSING = `
with state as (
  select name, place, oid, rolbypassrls, case
    when oid is null then (select rolsuper from pg_roles where rolname = session_user)
    -- PostgreSQL 15 and older don't know SET.
    else pg_has_role(session_user, oid, case when current_setting('server_version_num')::integer < 160000 then 'MEMBER' else 'SET' end)
  end as can_set
  from unnest(array['anon', 'authenticated', 'service_role']) with ordinality as roles (name, place)
  left join pg_roles on rolname = name
)
select statement from (
  select 1, place, format('create role %I nologin%s', name, case name when 'service_role' then ' bypassrls' end)
  from state where oid is null
  union all
  select 2, place, 'alter role service_role bypassrls' from state where name = 'service_role' and not rolbypassrls
  union all
  select 3, 1, format('grant %s to %I', string_agg(name, ', ' order by place), session_user)
  from state where not can_set having count(*) > 0
  union all
  select 4, 1, 'grant usage on schema public to ' || string_agg(name, ', ' order by place)
  from state where not has_schema_privilege(coalesce(oid, 0), 'public', 'usage') having count(*) > 0
) as missing (step, place, statement)
order by step, place`

/** SQL that creates the roles that every Supabase project has, and lets the session act as them. */
export const ROLES = `
do $$
declare
  missing text;
begin
  for missing in ${MISSING} loop
    execute missing;
  end loop;
end
$$;
`

/** Creates the roles. Throws a StartError with the statements for the server's administrator if the session may not. */
export async function createRoles(sql: Sql | TransactionSql): Promise<void> {
  const missing = await sql.unsafe<{ statement: string }[]>(MISSING)
  try {
    await sql.unsafe(ROLES)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    const statements = missing.map(({ statement }) => `  ${statement};`).join('\n')
    throw new StartError(
      `The role of DATABASE_URL may not create the roles that the tracker needs (${message}). Have the server's administrator run this once in the database, then start again:\n${statements}`,
      { cause: error },
    )
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
