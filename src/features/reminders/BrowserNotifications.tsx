import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { useAction } from '../../components/use-action.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { Failure } from '../../components/ResourceView.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { isPushOnAtom, sendTestAtom } from './atoms.ts'
import { ChannelState } from './ChannelState.tsx'
import { turnOff, turnOn } from './push.ts'
import { readAbilities, whyUnavailable } from './push-availability.ts'

/** Turns notifications in this browser on and off. A row of the settings. */
export function BrowserNotifications() {
  const { config } = useAtomValue(backendAtom)
  const [reason] = useState(() => whyUnavailable(readAbilities(), config.vapidPublicKey))
  return (
    <li className="list-row">
      <p className="row-title">This browser</p>
      {reason === null ? <Switch /> : <p className="note">{reason}</p>}
    </li>
  )
}

function Switch() {
  const { client, config } = useAtomValue(backendAtom)
  const on = useAtomValue(isPushOnAtom)
  const reload = useSetAtom(isPushOnAtom.reloadAtom)
  const sendTest = useSetAtom(sendTestAtom)
  const readOnly = useReadOnly()
  const { run, isBusy, problem } = useAction()
  if (on.state === 'failed') {
    return <Failure what="Notifications could not be loaded." error={on.error} retry={reload} isLine />
  }
  const isLoading = on.state === 'loading'
  const isOn = on.state === 'ready' && on.data
  const toggle = async () => {
    await (isOn ? turnOff(client) : turnOn(client, config.vapidPublicKey ?? ''))
    await reload()
  }
  return (
    <>
      <p role="status" className="note">
        {isLoading ? 'Loading…' : isOn ? 'On. Signing out turns notifications off.' : 'Off'}
      </p>
      {isOn && <ChannelState channel="web_push" />}
      <div className="row-end">
        {isOn && (
          <button
            type="button"
            {...readOnly}
            aria-disabled={isBusy}
            onClick={() => run(() => sendTest('web_push'))}
          >
            Send a test
          </button>
        )}
        <button
          type="button"
          {...readOnly}
          aria-disabled={isBusy || isLoading}
          onClick={() => isLoading || run(toggle)}
        >
          {isOn ? 'Turn off' : 'Turn on'}
        </button>
      </div>
      <p role="alert" className="problem">
        {problem}
      </p>
    </>
  )
}
