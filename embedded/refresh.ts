import { Cron } from 'croner'

/** Asks for a refresh of rides as the schedule does; resolves to the function's answer. */
export async function refreshRides(supabaseUrl: string, scheduleKey: string): Promise<Response> {
  return fetch(`${supabaseUrl}/functions/v1/update-rides`, {
    method: 'POST',
    headers: { 'x-schedule-key': scheduleKey },
  })
}

/** Refreshes rides by `cron` until the returned function is called. What came of it is in the function's log and the ledger. */
export function scheduleRefresh(cron: string, supabaseUrl: string, scheduleKey: string): () => void {
  const job = new Cron(cron, { protect: true, catch: true }, async () => {
    await refreshRides(supabaseUrl, scheduleKey)
  })
  return () => job.stop()
}
