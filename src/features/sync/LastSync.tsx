import { useAtomValue } from 'jotai'

import { Skeleton } from '../../components/Skeleton.tsx'
import { useFormats } from '../../lib/formats.ts'
import { didNotStartAtom, runningSyncAtom, syncsAtom } from './atoms.ts'
import { statusLines } from './status.ts'

/** `Synced 4 min ago: 1,402 rides, 2 new` */
export default function LastSync() {
  const syncs = useAtomValue(syncsAtom)
  const running = useAtomValue(runningSyncAtom)
  const didNotStart = useAtomValue(didNotStartAtom)
  const formats = useFormats()
  if (syncs.state === 'loading') return <Skeleton width="16rem" height="1lh" />
  if (syncs.state === 'failed') return null
  const isFailing = didNotStart || syncs.data.problem !== null
  const [line] = statusLines({ ...syncs.data, running, isFailing }, formats)
  return <p className="soft">{`${line?.when ?? ''}${line?.text ?? ''}`}</p>
}
