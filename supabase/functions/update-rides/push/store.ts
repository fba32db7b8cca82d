import type { SupabaseClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import type { Database } from '../../../database.types.ts'
import { Notification, type NotificationStore } from './notify.ts'

/** `client` needs the secret key, because the schedule has no user. */
export function createNotificationStore(client: SupabaseClient<Database>): NotificationStore {
  return {
    async claim(signal) {
      const { data, error } = await client.rpc('claim_notification').abortSignal(signal)
      if (error) throw error
      return v.parse(v.nullable(Notification), data)
    },
    async remove(endpoint, signal) {
      const { error } = await client
        .rpc('remove_push_subscriptions', { endpoints: [endpoint] })
        .abortSignal(signal)
      if (error) throw error
    },
  }
}
