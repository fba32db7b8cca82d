import { useAtomValue, useSetAtom } from 'jotai'
import { useId } from 'react'

import { useAction } from '../../components/use-action.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { ResourceView } from '../../components/ResourceView.tsx'
import { type Channel, channelsAtom, sendTestAtom } from './atoms.ts'
import { ChannelState } from './ChannelState.tsx'

/** Shows where notifications are sent besides browsers. Rows of the settings. */
export function Channels() {
  const channels = useAtomValue(channelsAtom)
  const reload = useSetAtom(channelsAtom.reloadAtom)
  const others = channels.state === 'ready' ? channels.data.filter(({ target }) => target !== null) : []
  if (others.length > 0) return others.map((each) => <Row key={each.channel} channel={each} />)
  return (
    <li className="list-row">
      <p className="row-title">ntfy and webhook</p>
      <ResourceView
        resource={channels}
        failed="Other ways to be notified could not be loaded."
        retry={reload}
        loading={<p className="note">Loading…</p>}
      >
        {() => <p className="note">Off. To turn them on, set NTFY_URL or WEBHOOK_URL for the tracker.</p>}
      </ResourceView>
    </li>
  )
}

const NAMES: Record<Channel['channel'], string> = {
  web_push: 'Browsers',
  ntfy: 'ntfy',
  webhook: 'Webhook',
}

function Row({ channel: { channel, target } }: { channel: Channel }) {
  const sendTest = useSetAtom(sendTestAtom)
  const readOnly = useReadOnly()
  const { run, isBusy, problem } = useAction()
  const title = useId()
  return (
    <li className="list-row">
      <p className="row-title" id={title}>
        {NAMES[channel]} · {target}
      </p>
      <ChannelState channel={channel} />
      <div className="row-end">
        <button
          type="button"
          {...readOnly}
          aria-describedby={title}
          aria-disabled={isBusy}
          aria-busy={isBusy}
          onClick={() => run(() => sendTest(channel))}
        >
          Send a test
        </button>
      </div>
      <p role="alert" className="problem">
        {problem}
      </p>
    </li>
  )
}
