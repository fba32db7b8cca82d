import { useAtomValue } from 'jotai'

import { READ_ONLY_REASON } from '../components/read-only.ts'
import { outOfDateAtom } from '../lib/resource.ts'
import styles from './OutOfDate.module.css'

/** Says that there is no network, and of when is what is shown; nothing while it is as new as can be. */
export function OutOfDate() {
  const outOfDate = useAtomValue(outOfDateAtom)
  return (
    <div role="status">
      {outOfDate && (
        <p id={READ_ONLY_REASON} className={styles.line}>
          {`Offline. What you see is from ${moment.format(outOfDate.since)}.`}
          {outOfDate.isKept && ' It cannot be changed until the tracker is reached again.'}
        </p>
      )}
    </div>
  )
}

const moment = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
})
