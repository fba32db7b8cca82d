import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { ChannelState } from './Channels.tsx'
import { sendTestAtom } from './channels.ts'
import { isPushOnAtom, turnOffAtom, turnOnAtom } from './push.ts'
import { readAbilities, whyUnavailable } from './push-availability.ts'

const TITLE = 'This browser'

/** Turns notifications in this browser on and off. A row of the settings. */
export function BrowserNotifications() {
  const { config } = useAtomValue(backendAtom)
  const [reason] = useState(() => whyUnavailable(readAbilities(), config.vapidPublicKey))
  return reason === null ? <Switch /> : <ListRow title={TITLE} about={reason} />
}

function Switch() {
  const on = useAtomValue(isPushOnAtom)
  const reload = useSetAtom(isPushOnAtom.reloadAtom)
  const sendTest = useSetAtom(sendTestAtom)
  const turnOn = useSetAtom(turnOnAtom)
  const turnOff = useSetAtom(turnOffAtom)
  if (on.state === 'failed') {
    const failure = (
      <Failure what="Notifications could not be loaded." error={on.error} retry={reload} isLine />
    )
    return <ListRow title={TITLE} about={failure} />
  }
  const isLoading = on.state === 'loading'
  const isOn = on.state === 'ready' && on.data
  const test = { label: 'Send a test', run: () => sendTest('web_push') }
  const onOrOff = { id: 'toggle', label: isOn ? 'Turn off' : 'Turn on', run: isOn ? turnOff : turnOn }
  return (
    <ActionRow
      title={TITLE}
      about={
        <>
          <p role="status" className="note">
            {isLoading ? 'Loading…' : isOn ? 'On. Signing out turns notifications off.' : 'Off'}
          </p>
          {isOn && <ChannelState channel="web_push" />}
        </>
      }
      actions={isOn ? [test, onOrOff] : [onOrOff]}
      isLoading={isLoading}
    />
  )
}
