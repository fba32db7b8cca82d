import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Secrets } from '../../embedded/secrets.ts'
import { syncRides } from '../../embedded/stack.ts'
import { countRows, type OwnerClient } from '../owner.ts'

export async function keysOf(folder: string): Promise<Secrets> {
  return JSON.parse(await readFile(path.join(folder, 'sample-keys.json'), 'utf8')) as Secrets
}

/** Resolves to the response's status, or 0 without a response. */
export async function sync(url: string, { scheduleKey }: Secrets): Promise<number> {
  const response = await syncRides(url, scheduleKey).catch(() => undefined)
  await response?.text().catch(() => undefined)
  return response?.status ?? 0
}

/** Deletes all rides, so the next sync has something to write. */
export async function deleteRides(url: string, { secretKey }: Secrets): Promise<boolean> {
  const response = await fetch(`${url}/rest/v1/rides?id=gt.0`, {
    method: 'DELETE',
    headers: { apikey: secretKey, prefer: 'return=minimal' },
  }).catch(() => undefined)
  return response?.ok ?? false
}

export async function syncFaults(owner: OwnerClient, rides: number): Promise<string[]> {
  const found = await countRows(owner, 'rides')
  const { data, error } = await owner.from('ride_syncs').select('outcome').order('id', { ascending: false })
  if (error) throw new Error(error.message)
  return [
    ...(found < rides ? [`${rides - found} rides are missing`] : []),
    ...(data[0]?.outcome === 'ok' ? [] : [`the last sync is ${data[0]?.outcome}`]),
    ...data.filter(({ outcome }) => outcome === 'running').map(() => 'a sync is still running'),
  ]
}
