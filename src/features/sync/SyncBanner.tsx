import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { Banner } from '../../components/Banner.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { didNotStartAtom, runningSyncAtom, syncsAtom, watchSyncsAtom } from './atoms.ts'
import { problemOf, progressOf } from './status.ts'

/** Watches the syncs. Shows why rides can't be updated until the owner acts, or the first sync's progress. Usually empty. */
export function SyncBanner() {
  const syncs = useAtomValue(syncsAtom)
  const running = useAtomValue(runningSyncAtom)
  const didNotStart = useAtomValue(didNotStartAtom)
  const bikes = useAtomValue(bikesAtom)
  const { config } = useAtomValue(backendAtom)
  const watch = useSetAtom(watchSyncsAtom)
  useEffect(() => watch(), [watch])
  if (syncs.state !== 'ready') return <Banner>{null}</Banner>
  // Without bikes, the first-run card shows the progress.
  const isFirst = syncs.data.lastOk === null && bikes.state === 'ready' && bikes.data.length > 0
  const line = running && isFirst ? progressOf(running) : problemOf({ ...syncs.data, didNotStart, config })
  return <Banner>{line && <p>{line}</p>}</Banner>
}
