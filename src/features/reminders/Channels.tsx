import { useAtomValue, useSetAtom } from 'jotai'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { useFormats } from '../../lib/formats.ts'
import { type Channel, channelsAtom, sendTestAtom, stateOf } from './channels.ts'

const NONE = { channels: [], off: [] }

/** Shows where notifications are sent besides browsers. Rows of the settings. */
export function Channels() {
  const channels = useAtomValue(channelsAtom)
  const reload = useSetAtom(channelsAtom.reloadAtom)
  const sendTest = useSetAtom(sendTestAtom)
  const { channels: on, off } = channels.state === 'ready' ? channels.data : NONE
  const others = on.filter(({ target }) => target !== null)
  if (others.length > 0) {
    return others.map(({ channel, label, target }) => (
      <ActionRow
        key={channel}
        title={`${label} · ${target}`}
        about={<ChannelState channel={channel} />}
        actions={[{ label: 'Send a test', run: () => sendTest(channel) }]}
      />
    ))
  }
  return (
    <ListRow title={namesOf(off) || 'Other channels'}>
      <ResourceView
        resource={channels}
        failed="Other ways to be notified could not be loaded."
        retry={reload}
        loading={<p className="note">Loading…</p>}
      >
        {({ off }) => (
          <p className="note">
            {`Off. To turn them on, set ${off.map(({ variable }) => variable).join(' or ')} for the tracker.`}
          </p>
        )}
      </ResourceView>
    </ListRow>
  )
}

/** `ntfy and webhook` */
const namesOf = (channels: readonly { label: string }[]) =>
  channels.map(({ label }, index) => (index === 0 ? label : label.toLowerCase())).join(' and ')

/** Shows when a channel last worked, or why not. */
export function ChannelState({ channel: name }: Pick<Channel, 'channel'>) {
  const channels = useAtomValue(channelsAtom)
  const formats = useFormats()
  if (channels.state !== 'ready') return null
  const channel = channels.data.channels.find(({ channel }) => channel === name)
  if (!channel) return null
  return (
    <p role="status" className={channel.error === null ? 'note' : 'problem'}>
      {stateOf(channel, formats, channels.readAt)}
    </p>
  )
}
