import {
  type AuthError,
  createClient,
  isAuthRetryableFetchError,
  type SupabaseClient,
} from '@supabase/supabase-js'
import type { Database } from '../../database.types.ts'
import type { Project } from './environment.ts'

/** What a function has to know about whoever calls it. */
export interface Auth {
  /** Whether the token is a valid one of a signed-in user. Rejects when Auth cannot tell. */
  isSignedIn(token: string): Promise<boolean>
  /** Whether that user owns this tracker. Rejects when the database cannot tell. */
  isOwner(token: string): Promise<boolean>
}

/** A client with the caller's own rights: row-level security decides what it sees. */
export function connectAs(project: Project, token: string, fetch?: typeof globalThis.fetch) {
  return createClient<Database>(project.url, project.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { Authorization: `Bearer ${token}` }, ...(fetch ? { fetch } : {}) },
  })
}

/** The project's own Auth. `fetch` is for tests. */
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

async function isSignedIn(client: SupabaseClient<Database>, token: string): Promise<boolean> {
  const { data, error } = await getClaims(client, token)
  if (error && isOutage(error)) throw error
  return data?.claims.role === 'authenticated'
}

// Auth is down or broken, which says nothing about the token.
const isOutage = (error: AuthError) => isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500

// A token with an algorithm that auth-js does not know makes it throw instead of returning an error.
async function getClaims(client: SupabaseClient<Database>, token: string) {
  try {
    return await client.auth.getClaims(token)
  } catch {
    return { data: null, error: null }
  }
}
