import { createClient } from '@supabase/supabase-js'
import type { Database } from '../../../database.types.ts'
import type { NotificationStore } from './notify.ts'

/** The store in a Supabase project. It needs the secret key, because the schedule has no user. */
export function createNotificationStore(url: string, secretKey: string): NotificationStore {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  return {
    async claim(signal) {
      const { data, error } = await client.rpc('claim_notification').abortSignal(signal)
      if (error) throw error
      return data as unknown as Awaited<ReturnType<NotificationStore['claim']>>
    },
    async remove(endpoint, signal) {
      const { error } = await client
        .rpc('remove_push_subscriptions', { endpoints: [endpoint] })
        .abortSignal(signal)
      if (error) throw error
    },
  }
}
