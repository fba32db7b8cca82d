import { atom } from 'jotai'

import type { ChannelsCall } from '../../../supabase/functions/channels/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { agoOf, type Formats } from '../../lib/formats.ts'
import { callFunction } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'

export type Channel = ChannelsCall['answer']['channels'][number]

/** Where notifications are sent, and whether that worked. Syncs send them. */
export const channelsAtom = resourceAtom({ reads: ['syncs'], cacheAs: 'channels' }, (get, { signal }) =>
  callFunction<ChannelsCall>(get(backendAtom).client, 'channels', { signal }),
)

/** Sends a test through a channel. Resolves when its result can be read. */
export const sendTestAtom = atom(null, async (get, set, channel: Channel['channel']) => {
  await callFunction<ChannelsCall>(get(backendAtom).client, 'channels', { body: { test: channel } })
  await set(channelsAtom.reloadAtom)
})

/** Describes a channel's last message: `Sent 2 h ago`, `Failed just now: 401`. */
export function stateOf({ sent_at, failed_at, error }: Channel, formats: Formats, now: number): string {
  const ago = (instant: string) => agoOf(new Date(instant), formats, now)
  if (error !== null && failed_at !== null) return `Failed ${ago(failed_at)}: ${error}`
  return sent_at === null ? 'Nothing sent yet' : `Sent ${ago(sent_at)}`
}
