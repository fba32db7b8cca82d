import { setTimeout as sleep } from 'node:timers/promises'
import { createAuth } from '../_shared/http/auth.ts'
import { readChannels } from '../_shared/channels/channels.ts'
import { createNotify } from '../_shared/channels/notify.ts'
import { readProject, readSeconds, readSecretKey } from '../_shared/http/environment.ts'
import { createLog } from '../_shared/http/log.ts'
import { connectWithSecretKey, createQuery } from '../_shared/http/query.ts'
import { createHandler } from './handler.ts'
import { createRideStore } from './ride-store.ts'
import { createRwgps } from './rwgps/client.ts'
import { readBaseUrl, readCredentials, secretsOf } from './rwgps/credentials.ts'
import { createTokenMemory } from './rwgps/token-memory.ts'
import { createUpdateRides } from './update-rides.ts'

const environment = (name: string) => Deno.env.get(name)
const project = readProject(environment)
const secretKey = readSecretKey(environment)
const credentials = readCredentials(environment)
const scheduleKey = environment('SCHEDULE_KEY')
// Needs the secret key: a scheduled sync has no user, and only a sync may write rides.
const client = connectWithSecretKey(project.url, secretKey)

const log = createLog('update-rides', [secretKey, scheduleKey ?? '', ...secretsOf(credentials)])

/** Lasts as long as the process. The host can pass the token to the next process as RWGPS_SAVED_TOKEN. */
export const tokenMemory = createTokenMemory(environment('RWGPS_SAVED_TOKEN'))

const transport = {
  fetch,
  sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
  random: Math.random,
  now: Date.now,
  requestTimeout: 15_000,
  log,
}
const rwgps = createRwgps(readBaseUrl(environment), credentials, transport, tokenMemory)

const updateRides = createUpdateRides({
  store: createRideStore(createQuery(client)),
  rwgps,
  // Hosted workers run for 150 seconds and accept requests for half of that, so a late request has only 75 seconds.
  syncTimeout: readSeconds(environment, 'SYNC_SECONDS', 70),
  notify: createNotify(readChannels('update-rides', environment, project, client)),
  log,
})

export default {
  fetch: createHandler({ auth: createAuth(project), scheduleKey, secretKey, updateRides, log }),
}
