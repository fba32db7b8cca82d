import { createClient } from '@supabase/supabase-js'
import type { Database } from '../supabase/database.types.ts'

export async function signIn(url: string, { email = 'owner@example.com', password = 'password' } = {}) {
  const { publishableKey } = await (await fetch(`${url}/config.json`)).json()
  const client = createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  return client
}

export type OwnerClient = Awaited<ReturnType<typeof signIn>>

export async function countRows(
  client: OwnerClient,
  table: 'bikes' | 'maintenance' | 'rides' | 'ride_syncs',
) {
  const { count, error } = await client.from(table).select('*', { count: 'exact', head: true })
  if (error) throw error
  return count ?? 0
}
