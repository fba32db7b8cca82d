import { useAtomValue } from 'jotai'

import { useLostFocus } from '../components/lost-focus.ts'
import { READ_ONLY_REASON } from '../components/read-only.ts'
import { tryAgain } from '../lib/connection.ts'
import { stalenessAtom } from '../lib/resource.ts'
import styles from './OfflineBanner.module.css'

/** Shows that the tracker is offline and how old the data on the screen is. Empty while the data is fresh. */
export function OfflineBanner() {
  const staleness = useAtomValue(stalenessAtom)
  useLostFocus(staleness === null, () => document.querySelector('main'), { preventScroll: true })
  return (
    <div className={staleness ? styles.line : undefined}>
      <div role="status">
        {staleness && (
          <p id={READ_ONLY_REASON}>
            {`Offline. Showing data from ${time.format(staleness.since)}.`}
            {staleness.fromCache && ' You can make changes again when the tracker is back online.'}
          </p>
        )}
      </div>
      {staleness && (
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      )}
    </div>
  )
}

const time = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
})
