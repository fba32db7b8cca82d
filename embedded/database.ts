import { fileURLToPath } from 'node:url'
import type { Extensions } from '@electric-sql/pglite'
import { App } from '@supabase/lite'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { applyMigrations, readMigrations } from './migrations.ts'
import type { Secrets } from './secrets.ts'

const MIGRATIONS = fileURLToPath(new URL('../supabase/migrations', import.meta.url))

// What a Supabase project brings along before its first migration.
const ROLES = `
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
  end loop;
  alter role service_role bypassrls;
end
$$;
grant usage on schema public to anon, authenticated, service_role;
`

/** Opens the database in `folder` (in memory without one), with Auth's tables and every migration applied. */
export async function openDatabase(
  secrets: Secrets,
  folder?: string,
  extensions: Extensions = {},
): Promise<PgliteConnection> {
  const connection = await createPgliteConnection({
    ...(folder === undefined ? {} : { url: folder }),
    // As PostgREST does: a numeric is a JSON number, also one that ends in a zero.
    pgliteOptions: { parsers: { 1700: Number }, extensions },
  })
  await connection.driver.exec(ROLES)
  await createApi(connection, secrets).ensureSystemSchema()
  await applyMigrations(connection.driver, await readMigrations(MIGRATIONS))
  keepGrants(connection)
  return connection
}

/**
 * On its first request Supabase Lite grants everything in an RLS schema to everyone, `anon` included. The roles exist
 * here and the migrations say who may do what, so it is told that this step was done.
 */
function keepGrants(connection: PgliteConnection): void {
  ;(connection as unknown as { rlsState: 'active' }).rlsState = 'active'
}

/** Auth and the data API over the database. Sign-ups are closed unless asked for; nobody but the stack itself asks. */
export function createApi(connection: PgliteConnection, secrets: Secrets, { signUps = false } = {}) {
  return new App({
    connection,
    // The same cut as on a hosted project, so that nothing works here that would fail there.
    api: { max_rows: 1000 },
    auth: {
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: signUps,
      email: { enable_signup: signUps, enable_confirmations: false },
    },
    options: { server: { admin: false } },
  })
}
