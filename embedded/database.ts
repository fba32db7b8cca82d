import { fileURLToPath } from 'node:url'
import type { Extensions, PGlite } from '@electric-sql/pglite'
import { App } from '@supabase/lite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import pLimit, { type LimitFunction } from 'p-limit'
import { readText } from '../supabase/functions/_shared/body.ts'
import { connect } from './connection.ts'
import { applyMigrations, readMigrations } from './migrations.ts'
import { hasRoom } from './room.ts'
import type { Secrets } from './secrets.ts'
import { prepareUpgrade } from './upgrade.ts'

const MIGRATIONS = fileURLToPath(new URL('../supabase/migrations', import.meta.url))

// For instances that listen nowhere, and send no mail.
const NOWHERE = 'http://127.0.0.1'

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

/** The embedded database. It has one session, which everybody shares. */
export interface Database {
  connection: PgliteConnection
  sql: PGlite
  /**
   * Runs one thing at a time. Supabase Lite opens a transaction for each request and sets the caller's role in it, and
   * nothing keeps the statements of two requests apart: without a turn one would run in the other's role.
   */
  turn: LimitFunction
  /** Whether there is room to write; always so in memory. */
  hasRoom(): Promise<boolean>
  close(): Promise<void>
}

/** Opens the database in `folder` (in memory without one), with Auth's tables and every migration applied. */
export async function openDatabase(
  secrets: Secrets,
  folder?: string,
  extensions: Extensions = {},
): Promise<Database> {
  const connection = await connect(folder, extensions)
  const turn = pLimit(1)
  const database = {
    connection,
    sql: connection.driver,
    turn,
    hasRoom: async () => folder === undefined || hasRoom(folder),
    close: () => turn(() => connection.close()),
  }
  const migrations = await readMigrations(MIGRATIONS)
  if (folder !== undefined) await prepareUpgrade(database.sql, folder, migrations)
  await database.sql.exec(ROLES)
  await createApp(database, secrets).ensureSystemSchema()
  await applyMigrations(database.sql, migrations)
  return database
}

export interface ApiOptions {
  /** Closed unless asked for; nobody but the stack itself asks. */
  signUps?: boolean
  /** Where the links in Auth's mails lead, which are printed instead of sent. */
  siteUrl?: string
}

/** Auth and the data API over the database, a request at a time. */
export function createApi(database: Database, secrets: Secrets, options?: ApiOptions) {
  const app = createApp(database, secrets, options)
  return {
    async fetch(request: Request): Promise<Response> {
      // Read before the turn: a slow sender keeps nobody waiting.
      const text = await readText(request.body, MOST_BYTES)
      if (text === null) return tooLarge()
      // As bytes: text would bring a type of its own along where the sender gave none.
      const whole = request.body ? new Request(request, { body: new TextEncoder().encode(text) }) : request
      if (!READING.has(request.method) && !(await database.hasRoom())) return diskFull()
      return database.turn(async () => {
        const isOpen = options?.signUps || isData(request) || (await hasOwner(database))
        return isOpen ? app.fetch(whole) : noOwnerYet()
      })
    },
  }
}

// The largest import takes less than half of it.
const MOST_BYTES = 32 * 2 ** 20

function tooLarge(): Response {
  return Response.json({ code: 'too_large', message: 'The request body is too large.' }, { status: 413 })
}

const isData = ({ url }: Request) => new URL(url).pathname.startsWith('/rest/v1')

/**
 * Auth is closed until there is an owner: with sign-ups closed Supabase Lite still makes an account for whoever asks for a
 * one-time password, and the first account owns everything. Every later one is refused by the database itself.
 */
async function hasOwner({ sql }: Database): Promise<boolean> {
  return (await sql.query('select from private.owner')).rows.length > 0
}

function noOwnerYet(): Response {
  const msg = 'The account of the owner is not made yet; try again in a moment.'
  return Response.json({ code: 503, error_code: 'unexpected_failure', msg }, { status: 503 })
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

// Said before PostgreSQL runs into it, since reading goes on then. The code is PostgreSQL's own.
function diskFull(): Response {
  const message = 'The disk is full; nothing was saved.'
  return Response.json({ code: '53100', message, details: null, hint: null }, { status: 507 })
}

/** Supabase Lite itself; it takes many requests at once, which only a database with many sessions bears. */
export function createApp(
  { connection }: Pick<Database, 'connection'>,
  secrets: Secrets,
  { signUps = false, siteUrl = NOWHERE }: ApiOptions = {},
): App {
  keepGrants(connection)
  return new App({
    connection,
    // The same cut as on a hosted project, so that nothing works here that would fail there.
    api: { max_rows: 1000 },
    auth: {
      jwt_secret: secrets.jwtSecret,
      site_url: siteUrl,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: signUps,
      // Nobody counts how often a code of a mail was tried: six digits would be found within the hour that it is good for.
      email: { enable_signup: signUps, enable_confirmations: false, otp_length: 32 },
    },
    options: { server: { admin: false } },
  })
}

/**
 * On its first request Supabase Lite grants everything in an RLS schema to everyone, `anon` included. The roles exist
 * here and the migrations say who may do what, so it is told that this step was done.
 */
function keepGrants(connection: Database['connection']): void {
  ;(connection as unknown as { rlsState: 'active' }).rlsState = 'active'
}
