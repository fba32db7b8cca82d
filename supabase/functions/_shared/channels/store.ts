import type { SupabaseClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import type { Database } from '../../../database.types.ts'
import { Claimed } from '../contracts/notifications.ts'
import { createQuery } from '../http/query.ts'
import { channelDeadline, type Subscriptions } from './channel.ts'
import type { NotificationStore } from './notify.ts'

const Browsers = v.array(v.object({ endpoint: v.string(), p256dh: v.string(), auth: v.string() }))

/** `client` needs the secret key, because the schedule has no user and the owner's token can't read other browsers' keys. */
export function createNotificationStore(
  client: SupabaseClient<Database>,
): NotificationStore & { subscriptions: Subscriptions } {
  const query = createQuery(client, channelDeadline)
  return {
    claim: (channels) => query('claim_notifications', Claimed, { channels }),
    async finish(channel, failure, message) {
      await query('finish_notification', v.boolean(), { channel, error: failure as string, message })
    },
    subscriptions: {
      list: () => query('push_subscriptions', Browsers),
      async remove(endpoint) {
        await query('remove_push_subscriptions', v.number(), { endpoints: [endpoint] })
      },
    },
  }
}
