import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { Banner } from '../components/Banner.tsx'
import { isOutdatedAtom, reload, watchVersionAtom } from '../lib/new-version.ts'

/** Offers to reload when the server has a new version. */
export function VersionBanner() {
  const isOutdated = useAtomValue(isOutdatedAtom)
  const watch = useSetAtom(watchVersionAtom)
  useEffect(() => watch(), [watch])
  return (
    <Banner
      action={
        isOutdated && (
          <button type="button" onClick={reload}>
            Reload
          </button>
        )
      }
    >
      {isOutdated && <p>A new version of the tracker is available. Your drafts are kept.</p>}
    </Banner>
  )
}
