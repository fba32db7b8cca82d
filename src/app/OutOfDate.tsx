import { useAtomValue } from 'jotai'

import { useLostFocus } from '../components/lost-focus.ts'
import { READ_ONLY_REASON } from '../components/read-only.ts'
import { tryAgain } from '../lib/connection.ts'
import { outOfDateAtom } from '../lib/resource.ts'
import styles from './OutOfDate.module.css'

/** Says that the tracker is offline and how old the data on the screen is. Empty while the data is up to date. */
export function OutOfDate() {
  const outOfDate = useAtomValue(outOfDateAtom)
  useLostFocus(outOfDate === null, () => document.querySelector('main'), { preventScroll: true })
  return (
    <div className={outOfDate ? styles.line : undefined}>
      <div role="status">
        {outOfDate && (
          <p id={READ_ONLY_REASON}>
            {`Offline. What you see is from ${moment.format(outOfDate.since)}.`}
            {outOfDate.isKept && ' It cannot be changed until the tracker is reached again.'}
          </p>
        )}
      </div>
      {outOfDate && (
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
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
