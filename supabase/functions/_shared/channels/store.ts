import type { SupabaseClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import type { Database } from '../../../database.types.ts'
import { channelDeadline } from './channel.ts'
import { Claimed, type NotificationStore } from './notify.ts'
import type { Subscriptions } from './web-push.ts'

const Browsers = v.array(v.object({ endpoint: v.string(), p256dh: v.string(), auth: v.string() }))

/** `client` needs the secret key, because the schedule has no user and the owner's token can't read other browsers' keys. */
export function createNotificationStore(
  client: SupabaseClient<Database>,
): NotificationStore & { subscriptions: Subscriptions } {
  return {
    async claim(channels) {
      const { data, error } = await client
        .rpc('claim_notifications', { channels })
        .abortSignal(channelDeadline())
      if (error) throw error
      return v.parse(Claimed, data)
    },
    async finish(channel, failure, message) {
      const { error } = await client
        .rpc('finish_notification', { channel, error: failure as string, ...(message && { message }) })
        .abortSignal(channelDeadline())
      if (error) throw error
    },
    subscriptions: {
      async list() {
        const { data, error } = await client.rpc('push_subscriptions').abortSignal(channelDeadline())
        if (error) throw error
        return v.parse(Browsers, data)
      },
      async remove(endpoint) {
        const { error } = await client
          .rpc('remove_push_subscriptions', { endpoints: [endpoint] })
          .abortSignal(channelDeadline())
        if (error) throw error
      },
    },
  }
}
