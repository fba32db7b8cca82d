import { useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue, useEffect } from 'react'

import { Notice } from '../../components/Notice.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { messageFor } from '../../lib/errors.ts'
import { followLogAtom } from './follow.ts'
import { logAtom } from './log.ts'
import { LogTable } from './LogTable.tsx'
import { OrphanDrafts } from './OrphanDrafts.tsx'

export function MaintenanceLog({ gearId }: { gearId: number }) {
  const log = useAtomValue(logAtom(gearId))
  const reread = useSetAtom(logAtom(gearId))
  const follow = useSetAtom(followLogAtom)
  useEffect(() => follow(gearId), [follow, gearId])
  // What comes after the placeholder is drawn in small steps, between which the page answers.
  const isLoading = useDeferredValue(log.state === 'loading')

  if (isLoading || log.state === 'loading') return <Skeleton width="100%" height="60dvh" />
  if (log.state === 'failed') {
    return (
      <Notice action={{ label: 'Try again', run: () => void reread() }}>
        {`The log could not be read. ${messageFor(log.error)}`}
      </Notice>
    )
  }
  return (
    <>
      {log.failure && (
        <Notice action={{ label: 'Try again', run: () => void reread() }}>
          {`This is the log as it was last read. ${messageFor(log.failure)}`}
        </Notice>
      )}
      {/* Of a log from an earlier visit it cannot be told what was deleted since. */}
      {!log.fromCache && <OrphanDrafts bikeId={gearId} />}
      <LogTable bikeId={gearId} items={log.data} isUpdating={log.updating} />
    </>
  )
}
