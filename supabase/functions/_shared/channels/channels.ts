import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../database.types.ts'
import type { Environment, Project } from '../environment.ts'
import { createLog } from '../log.ts'
import type { Dependencies } from './notify.ts'
import { createNtfy } from './ntfy.ts'
import { readNtfy, readPushFetch, readVapid, readWebhook } from './settings.ts'
import { createNotificationStore } from './store.ts'
import { createWebPush } from './web-push.ts'
import { createWebhook } from './webhook.ts'

/** Creates the channels that are set up, for the function `source`. `client` needs the secret key. */
export function readChannels(
  source: string,
  environment: Environment,
  project: Project,
  client: SupabaseClient<Database>,
): Dependencies {
  const { subscriptions, ...store } = createNotificationStore(client)
  const vapid = readVapid(environment, project)
  const ntfy = readNtfy(environment)
  const webhook = readWebhook(environment)
  const tracker = environment('TRACKER_URL')
  const trackerUrl = tracker ? `${tracker}/#garage` : undefined
  const log = createLog(source, [
    vapid?.privateKey ?? '',
    ntfy?.token ?? '',
    ntfy?.url ?? '',
    webhook?.url ?? '',
  ])
  return {
    channels: [
      vapid && createWebPush({ vapid, subscriptions, send: readPushFetch(environment), log }),
      ntfy && createNtfy(ntfy, trackerUrl),
      webhook && createWebhook(webhook, trackerUrl),
    ].filter((channel) => channel !== null),
    store,
    log,
  }
}
