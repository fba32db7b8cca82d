import { type AuthError, isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../database.types.ts'
import type { Project } from './environment.ts'
import { connectAs } from './query.ts'

/** Both methods reject if Auth or the database fails. */
export interface Auth {
  isSignedIn(token: string): Promise<boolean>
  isOwner(token: string): Promise<boolean>
}

/** Checks tokens against the project's Auth and database. Tests pass their own `fetch`. */
export function createAuth(project: Project, fetch?: typeof globalThis.fetch): Auth {
  return {
    isSignedIn: (token) => isSignedIn(connectAs(project, token, fetch), token),
    async isOwner(token) {
      const { data, error } = await connectAs(project, token, fetch).rpc('is_owner')
      if (error) throw error
      return data
    },
  }
}

// If Auth is down or failing, the token may still be valid.
const isOutage = (error: AuthError) => isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500

async function isSignedIn(client: SupabaseClient<Database>, token: string): Promise<boolean> {
  // auth-js throws on unknown signature algorithms instead of returning an error.
  const { data, error } = await client.auth.getClaims(token).catch(() => ({ data: null, error: null }))
  if (error && isOutage(error)) throw error
  return data?.claims.role === 'authenticated'
}
