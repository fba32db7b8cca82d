import { atom } from 'jotai'

import type { ChannelsCall } from '../../../supabase/functions/channels/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { addMessages } from '../../lib/error-messages.ts'
import { callFunction } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { hasFeed } from './calendar-feed.ts'
import { isOn } from './push.ts'

/** Whether the calendar feed has a link. */
export const hasFeedAtom = resourceAtom({ reads: [], cacheAs: 'calendar-feed' }, (get) =>
  hasFeed(get(backendAtom).client),
)

/** Whether this browser gets notifications. */
export const isPushOnAtom = resourceAtom({ reads: [], cacheAs: 'push' }, (get) => {
  const { client, config } = get(backendAtom)
  return isOn(client, config.vapidPublicKey ?? '')
})

addMessages({ unknown_channel: 'This is no longer set up. Reload the page.' })

export type Channel = ChannelsCall['answer']['channels'][number]

/** Where notifications are sent, and whether that worked. Syncs send them. */
export const channelsAtom = resourceAtom(
  { reads: ['syncs'], cacheAs: 'channels' },
  async (get, { signal }) => {
    const { channels } = await callFunction<ChannelsCall>(get(backendAtom).client, 'channels', { signal })
    return channels
  },
)

/** Sends a test through a channel. Resolves when its result can be read. */
export const sendTestAtom = atom(null, async (get, set, channel: Channel['channel']) => {
  await callFunction<ChannelsCall>(get(backendAtom).client, 'channels', { body: { test: channel } })
  await set(channelsAtom.reloadAtom)
})
