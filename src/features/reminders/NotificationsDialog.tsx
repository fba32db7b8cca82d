import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { ActionDialog, useAction } from '../../components/ActionDialog.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { isOn, turnOff, turnOn } from './push.ts'
import { readAbilities, whyUnavailable } from './push-availability.ts'
import styles from './NotificationsDialog.module.css'

export default function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const { client, config } = useAtomValue(backendAtom)
  const [reason] = useState(() => whyUnavailable(readAbilities(), config.vapidPublicKey))
  const [on, setOn] = useState<boolean | null>(null)
  const { run, fail, ...action } = useAction()
  const key = config.vapidPublicKey ?? ''

  useEffect(() => {
    if (reason === null) isOn(client, key).then(setOn, fail)
  }, [client, key, reason, fail])

  const toggle = async () => setOn(await (on ? turnOff(client) : turnOn(client, key)))
  return (
    <ActionDialog
      title="Notifications"
      {...action}
      onClose={onClose}
      actions={
        on !== null && (
          <button
            type="button"
            className={on ? undefined : 'primary'}
            aria-disabled={action.isBusy}
            onClick={() => run(toggle)}
          >
            {on ? 'Turn off' : 'Turn on'}
          </button>
        )
      }
    >
      <p>
        When a sync makes a service task due, this browser can show a notification, even while the tracker is
        closed. Each task is announced once, until it is done or its interval changes.
      </p>
      <p role="status" className={styles.state}>
        {reason ?? (on !== null && (on ? 'On in this browser' : 'Off in this browser'))}
      </p>
      <p className="note">
        A notification names tasks, parts and bikes. It is encrypted for this browser and travels through the
        browser’s push service, which can’t read it. Signing out turns notifications off.
      </p>
    </ActionDialog>
  )
}
