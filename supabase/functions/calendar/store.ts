import { createClient } from '@supabase/supabase-js'
import type { Database } from '../../database.types.ts'
import { HISTORY_DAYS } from '../_shared/forecast.ts'
import type { FeedData, Stamp } from './feed.ts'

/** Reads the feed with its token, and notes when it changed. Both are null for any other token. */
export interface FeedStore {
  read(token: string): Promise<FeedData | null>
  stamp(token: string, content: string): Promise<Stamp | null>
}

/** The store in a Supabase project. It needs the secret key, because only this function may try tokens. */
export function createFeedStore(url: string, secretKey: string): FeedStore {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  return {
    async read(token) {
      const { data, error } = await client.rpc('calendar_feed', { token, days: HISTORY_DAYS })
      if (error) throw error
      return data as unknown as FeedData | null
    },
    async stamp(token, content) {
      const { data, error } = await client.rpc('stamp_calendar_feed', { token, content })
      if (error) throw error
      return data as unknown as Stamp | null
    },
  }
}
