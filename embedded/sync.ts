import { Cron } from 'croner'

/** Starts a sync as the schedule and returns the function's response. */
export async function syncRides(supabaseUrl: string, scheduleKey: string): Promise<Response> {
  return fetch(`${supabaseUrl}/functions/v1/update-rides`, {
    method: 'POST',
    headers: { 'x-schedule-key': scheduleKey },
  })
}

/** Syncs rides by `cron` until the returned function is called. Results are in the function's log and the sync history. */
export function scheduleSync(cron: string, supabaseUrl: string, scheduleKey: string): () => void {
  const job = new Cron(cron, { protect: true, catch: true }, async () => {
    await syncRides(supabaseUrl, scheduleKey)
  })
  return () => job.stop()
}
