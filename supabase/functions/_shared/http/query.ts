import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type * as v from 'valibot'
import type { Database } from '../../../database.types.ts'
import type { Project } from './environment.ts'

type Functions = Database['public']['Functions']

/** Optional arguments may be undefined. */
type Arguments<Args> =
  Args extends Record<PropertyKey, never>
    ? []
    : object extends Args
      ? [args?: WithUndefined<Args>]
      : [args: WithUndefined<Args>]
type WithUndefined<Args> = {
  [Name in keyof Args]: object extends Pick<Args, Name> ? Args[Name] | undefined : Args[Name]
}

/** Calls a SQL function. The schema types the answer, which is only JSON in the generated types. Only tests validate it. */
export type Query = <Name extends keyof Functions, Answer extends v.GenericSchema>(
  name: Name,
  answer: Answer,
  ...args: Arguments<Functions[Name]['Args']>
) => Promise<v.InferOutput<Answer>>

/** Creates a query with the client's rights that rejects with PostgREST's error, or after the deadline. */
export function createQuery(client: SupabaseClient, deadline?: () => AbortSignal): Query {
  return async (name, _answer, ...[args]) => {
    const call = client.rpc(name, args)
    const { data, error } = await (deadline ? call.abortSignal(deadline()) : call)
    // An object, not an Error, which wouldn't get its code's answer or stand in the log.
    if (error) throw Object.assign(new Error(error.message), error)
    return data
  }
}

const WITHOUT_SESSION = { persistSession: false, autoRefreshToken: false }

/** Creates a client with the caller's rights, so row-level security applies. */
export function connectAs(project: Project, token: string, fetch?: typeof globalThis.fetch) {
  return createClient<Database>(project.url, project.publishableKey, {
    auth: WITHOUT_SESSION,
    global: { headers: { Authorization: `Bearer ${token}` }, ...(fetch ? { fetch } : {}) },
  })
}

/** Creates a client that bypasses row-level security. */
export function connectWithSecretKey(url: string, secretKey: string) {
  return createClient<Database>(url, secretKey, { auth: WITHOUT_SESSION })
}
