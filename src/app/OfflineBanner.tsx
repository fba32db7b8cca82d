import { useAtomValue } from 'jotai'

import { Banner } from '../components/Banner.tsx'
import { useLostFocus } from '../components/lost-focus.ts'
import { READ_ONLY_REASON } from '../components/read-only.ts'
import { tryAgain } from '../lib/connection.ts'
import { localDay } from '../lib/days.ts'
import { formatTime, useFormats } from '../lib/formats.ts'
import { stalenessAtom } from '../lib/resource.ts'

export function OfflineBanner() {
  const staleness = useAtomValue(stalenessAtom)
  const since = staleness && new Date(staleness.since)
  const { day } = useFormats()
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
      {since && (
        <p id={READ_ONLY_REASON}>
          {`Offline. Showing data from ${day(localDay(since))}, ${formatTime(since)}.`}
          {staleness?.fromCache && ' What you change waits for the network; disabled actions need it.'}
        </p>
      )}
    </Banner>
  )
}
