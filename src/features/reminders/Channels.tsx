import { useAtomValue, useSetAtom } from 'jotai'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { useFormats } from '../../lib/formats.ts'
import { type Channel, channelsAtom, sendTestAtom, stateOf } from './channels.ts'

const NAMES: Record<Channel['channel'], string> = {
  web_push: 'Browsers',
  ntfy: 'ntfy',
  webhook: 'Webhook',
}

/** Shows where notifications are sent besides browsers. Rows of the settings. */
export function Channels() {
  const channels = useAtomValue(channelsAtom)
  const reload = useSetAtom(channelsAtom.reloadAtom)
  const sendTest = useSetAtom(sendTestAtom)
  const others = channels.state === 'ready' ? channels.data.filter(({ target }) => target !== null) : []
  if (others.length > 0) {
    return others.map(({ channel, target }) => (
      <ActionRow
        key={channel}
        title={`${NAMES[channel]} · ${target}`}
        about={<ChannelState channel={channel} />}
        actions={[{ label: 'Send a test', run: () => sendTest(channel) }]}
      />
    ))
  }
  return (
    <ListRow title="ntfy and webhook">
      <ResourceView
        resource={channels}
        failed="Other ways to be notified could not be loaded."
        retry={reload}
        loading={<p className="note">Loading…</p>}
      >
        {() => <p className="note">Off. To turn them on, set NTFY_URL or WEBHOOK_URL for the tracker.</p>}
      </ResourceView>
    </ListRow>
  )
}

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
