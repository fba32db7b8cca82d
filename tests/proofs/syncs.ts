import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Secrets } from '../../embedded/secrets.ts'
import { countRows, type OwnerClient } from '../owner.ts'

/** The keys of the sample's database in a data folder. */
export async function keysOf(folder: string): Promise<Secrets> {
  return JSON.parse(await readFile(path.join(folder, 'sample-keys.json'), 'utf8')) as Secrets
}

/** Refreshes rides as the schedule does; resolves to the answer's status, 0 when there was none. */
export async function refresh(url: string, { scheduleKey }: Secrets): Promise<number> {
  const answer = await fetch(`${url}/functions/v1/update-rides`, {
    method: 'POST',
    headers: { 'x-schedule-key': scheduleKey },
  }).catch(() => undefined)
  await answer?.text().catch(() => undefined)
  return answer?.status ?? 0
}

/** Takes all rides away, so that the next refresh has something to write. */
export async function forgetRides(url: string, { secretKey }: Secrets): Promise<boolean> {
  const answer = await fetch(`${url}/rest/v1/rides?id=gt.0`, {
    method: 'DELETE',
    headers: { apikey: secretKey, prefer: 'return=minimal' },
  }).catch(() => undefined)
  return answer?.ok ?? false
}

/** What is wrong with rides and ledger after a start, which refreshes the sample before it is ready. */
export async function syncFaults(owner: OwnerClient, rides: number): Promise<string[]> {
  const found = await countRows(owner, 'rides')
  const { data, error } = await owner.from('ride_syncs').select('outcome').order('id', { ascending: false })
  if (error) throw new Error(error.message)
  return [
    ...(found < rides ? [`${rides - found} rides are missing`] : []),
    ...(data[0]?.outcome === 'ok' ? [] : [`the last refresh is ${data[0]?.outcome}`]),
    ...data.filter(({ outcome }) => outcome === 'running').map(() => 'a refresh is still running'),
  ]
}
