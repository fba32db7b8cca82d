import { useAtomValue } from 'jotai'

import { useFormats } from '../../lib/formats.ts'
import { type Channel, channelsAtom } from './atoms.ts'
import { stateOf } from './channel-state.ts'

/** Shows when a channel last worked, or why not. */
export function ChannelState({ channel: name }: Pick<Channel, 'channel'>) {
  const channels = useAtomValue(channelsAtom)
  const formats = useFormats()
  if (channels.state !== 'ready') return null
  const channel = channels.data.find(({ channel }) => channel === name)
  if (!channel) return null
  return (
    <p role="status" className={channel.error === null ? 'note' : 'problem'}>
      {stateOf(channel, formats, channels.readAt)}
    </p>
  )
}
