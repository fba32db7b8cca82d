import { Cron } from 'croner'
import type { Sql } from 'postgres'

/** Deletes the rows that Supabase Lite adds with every session refresh, and old tokens, which are of no use after 30 days. */
export async function cleanUp(sql: Sql): Promise<void> {
  await sql`delete from auth.refresh_tokens where revoked and updated_at < now() - interval '30 days'`
  await sql`delete from auth.audit_log_entries where created_at < now() - interval '30 days'`
  await sql`select private.remove_old_tokens()`
}

/** Cleans up now and every day. Returns a stop function. */
export async function cleanUpDaily(sql: Sql): Promise<() => void> {
  const job = new Cron('@daily', { catch: (error) => console.error(error) }, () => cleanUp(sql))
  await job.trigger()
  return () => job.stop()
}
