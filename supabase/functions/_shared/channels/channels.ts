import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../database.types.ts'
import type { Environment, Project } from '../http/environment.ts'
import { createLog } from '../http/log.ts'
import { CHANNELS } from './list.ts'
import type { Dependencies } from './notify.ts'
import { createNotificationStore } from './store.ts'

/** Opens the channels that are set up, for the function `source`. `client` needs the secret key. */
export function readChannels(
  source: string,
  environment: Environment,
  project: Project,
  client: SupabaseClient<Database>,
): Dependencies {
  const { subscriptions, ...store } = createNotificationStore(client)
  const read = CHANNELS.flatMap(({ name, label, ...channel }) => {
    const settings = channel.read(environment)
    return settings ? [{ name, label, settings }] : []
  })
  const tracker = environment('TRACKER_URL')
  const trackerUrl = tracker ? `${tracker}/#garage` : undefined
  const log = createLog(
    source,
    read.flatMap(({ settings }) => settings.secrets),
  )
  const context = { project, trackerUrl, subscriptions, log }
  const channels = read.map(({ name, label, settings }) =>
    Object.assign(settings.open(context), { name, label }),
  )
  return { channels, store, log }
}
