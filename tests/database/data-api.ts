import { createPostgresConnection } from '@supabase/lite/postgres'
import { createApi, createApp, openDatabase, type Database } from '../../embedded/database.ts'
import { createSecrets, type Secrets } from '../../embedded/secrets.ts'
import { supabase } from '../../scripts/supabase-cli.ts'
import { createPostgres, type TestDatabase } from './databases.ts'

/** A data API with its Auth and the database behind them. */
export interface DataApi {
  database: TestDatabase
  secrets: Secrets
  /** The access token of the owner, who signed in with a password. */
  ownerToken: string
  fetch(path: string, init: RequestInit): Promise<Response>
}

/** As the embedded stack serves it, over PGlite in memory. */
export async function openOnPglite(): Promise<DataApi> {
  const secrets = createSecrets()
  const opened = await openDatabase(secrets)
  const database = {
    run: async (sql: string) => (await opened.sql.exec(sql)).map(({ rows }) => rows),
    close: () => opened.close(),
  }
  return withOwner(opened, database, secrets)
}

/** The same over a database of a PostgreSQL server, to which the real CLI applied the migrations. */
export async function openOnPostgres(server: string): Promise<DataApi> {
  const secrets = createSecrets()
  const database = await createPostgres(server)
  const { url } = database
  const connection = createPostgresConnection({ url, postgresOptions: { onnotice: () => undefined } })
  // It has many sessions, so that nobody has to wait for a turn.
  const opened = {
    connection,
    turn: (task: () => unknown) => task(),
    hasRoom: async () => true,
    sql: { query: async (sql: string) => ({ rows: (await database.run(sql))[0] }) },
  } as unknown as Database
  // Auth's own tables, in the place of what stands for them where Auth is not needed.
  await database.run('drop schema auth cascade')
  await createApp(opened, secrets).ensureSystemSchema()
  await supabase('db', 'push', '--yes', `--remote=${url}`)
  const close = async () => {
    await connection.close()
    await database.close()
  }
  return withOwner(opened, { ...database, close }, secrets)
}

async function withOwner(opened: Database, database: TestDatabase, secrets: Secrets): Promise<DataApi> {
  const account = {
    method: 'POST',
    headers: { apikey: secrets.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'password' }),
  }
  await createApi(opened, secrets, { signUps: true }).fetch(request('/auth/v1/signup', account))
  const api = createApi(opened, secrets)
  const signedIn = await api.fetch(request('/auth/v1/token?grant_type=password', account))
  const { access_token: ownerToken } = (await signedIn.json()) as { access_token: string }
  return { database, secrets, ownerToken, fetch: (path, init) => api.fetch(request(path, init)) }
}

const request = (path: string, init: RequestInit) => new Request(`http://127.0.0.1${path}`, init)
