import { useAtomValue } from 'jotai'

import { Banner } from '../components/Banner.tsx'
import { useLostFocus } from '../components/lost-focus.ts'
import { READ_ONLY_REASON } from '../components/read-only.ts'
import { tryAgain } from '../lib/connection.ts'
import { stalenessAtom } from '../lib/resource.ts'

export function OfflineBanner() {
  const staleness = useAtomValue(stalenessAtom)
  useLostFocus(staleness === null, () => document.querySelector('main'), { preventScroll: true })
  return (
    <Banner
      action={
        staleness && (
          <button type="button" onClick={tryAgain}>
            Try again
          </button>
        )
      }
    >
      {staleness && (
        <p id={READ_ONLY_REASON}>
          {`Offline. Showing data from ${time.format(staleness.since)}.`}
          {staleness.fromCache && ' You can make changes again when the tracker is back online.'}
        </p>
      )}
    </Banner>
  )
}

const time = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
})
