// Makes a server like a hosted Supabase project's, for TEST_AS_HOSTED=1: the test user owns the databases but isn't a
// superuser, nothing is granted by default, and another role owns `auth`.
import { createApp } from '../embedded/supabase-lite/index.ts'
import { openSessions } from '../embedded/database.ts'
import { applyMigrations, readMigrations } from '../embedded/migrations.ts'
import { connect, withDatabase } from '../embedded/postgres/connect.ts'
import { ROLES } from '../embedded/postgres/roles.ts'
import { createSecrets } from '../embedded/secrets.ts'

const OWNER = 'hosted_postgres'
const AUTH_ADMIN = 'supabase_auth_admin'

function withUser(url: string, user: string): string {
  const other = new URL(url)
  other.username = user
  other.password = ''
  return other.href
}

/** Creates a project's roles on the server at `url`, whose user is a superuser. Returns the URL for the project's owner role. */
export async function createHostedOwner(url: string): Promise<string> {
  const sql = connect(url)
  await sql.unsafe(`${ROLES}
    create role ${AUTH_ADMIN} login noinherit;
    create role ${OWNER} login nosuperuser createdb createrole bypassrls;
    grant anon, authenticated, service_role to ${OWNER} with admin option`)
  await sql.end()
  return withUser(url, OWNER)
}

export async function migrateHosted(server: string, url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1)
  const asSuperuser = withDatabase(server, database)
  const admin = connect(asSuperuser)
  await admin.unsafe(`
    grant create on database ${database} to ${AUTH_ADMIN};
    create schema auth authorization ${AUTH_ADMIN};
    grant usage on schema auth to anon, authenticated, service_role;
    grant usage on schema public to anon, authenticated, service_role`)
  const auth = openSessions(withUser(asSuperuser, AUTH_ADMIN))
  await createApp(auth, createSecrets()).createAuthSchema()
  await auth.sql.unsafe(FACTORS)
  await auth.close()
  await admin.unsafe(`
    -- Supabase Lite's own.
    drop schema supabase_migrations cascade;
    grant all on schema auth to ${OWNER};
    grant all on all tables in schema auth to ${OWNER};
    grant all on all routines in schema auth to ${OWNER}`)
  await admin.end()
  const owner = connect(url)
  await applyMigrations(owner, await readMigrations())
  await owner.end()
}

// Only Supabase's Auth server supports a second factor.
const FACTORS = `
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');
create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  secret text
)`
