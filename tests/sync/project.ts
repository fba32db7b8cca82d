import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createClient } from '@supabase/supabase-js'
import { createApi } from '../../embedded/api.ts'
import { ensureOwner } from '../../embedded/owner.ts'
import { createSecrets, type Secrets } from '../../embedded/secrets.ts'
import { openMigrated } from '../postgres.ts'
import { listen } from './listen.ts'

export interface Project {
  url: string
  secrets: Secrets
  ownerToken: string
  /** Runs SQL without row-level security. Resolves to the last statement's rows. */
  query<Row>(sql: string): Promise<Row[]>
  close(): Promise<void>
}

const OWNER = { email: 'owner@example.com', password: 'password' }

export async function openProject(): Promise<Project> {
  const secrets = createSecrets()
  const database = await openMigrated()
  await ensureOwner(database, secrets, { ownerEmail: OWNER.email, ownerPassword: OWNER.password })
  const api = createApi(database, secrets)
  const listener = getRequestListener((request) => api.fetch(request))
  const server = createServer((request, response) => void listener(request, response))
  const { url, close } = await listen(server)
  return {
    url,
    secrets,
    ownerToken: await signIn(url, secrets),
    async query<Row>(sql: string) {
      const results = await database.sql.unsafe(sql)
      // The driver returns a single result for one statement and a list for several.
      return ('command' in results ? results : (results as unknown[]).at(-1)) as Row[]
    },
    async close() {
      await close()
      await database.close()
    },
  }
}

async function signIn(url: string, { publishableKey }: Secrets): Promise<string> {
  const client = createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { data, error } = await client.auth.signInWithPassword(OWNER)
  if (error) throw error
  return data.session.access_token
}
