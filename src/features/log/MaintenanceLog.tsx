import { useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue } from 'react'

import { lazyScreen } from '../../components/lazy-screen.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { messageFor } from '../../lib/errors.ts'
import { quote } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { discardOrphanDraftsAtom, type OrphanDrafts, orphanDraftsAtom } from '../items/drafts.ts'
import { FIELDS } from '../items/fields.ts'
import { logAtom } from '../items/log.ts'
import { settingUpAtom } from '../items/set-up.ts'
import { logViewAtom } from '../items/open-item.ts'
import { LogTable } from './LogTable.tsx'
import { viewAtom } from './shown-items.ts'

/** Loaded separately, because most visits only show the table. */
export const Timeline = lazyScreen(
  () => import('./timeline/Timeline.tsx'),
  <Skeleton width="100%" height="60dvh" />,
)

export function MaintenanceLog({ gearId }: { gearId: number }) {
  const log = useAtomValue(logAtom(gearId))
  const reload = useSetAtom(logAtom(gearId))
  const isTimeline = useAtomValue(logViewAtom) === 'timeline'
  const view = useAtomValue(viewAtom(gearId))
  // Deferred, so React replaces the placeholder with the table without blocking the page.
  const isLoading = useDeferredValue(log.state === 'loading')

  if (isLoading || log.state === 'loading') return <Skeleton width="100%" height="100dvh" />
  if (log.state === 'failed') {
    return (
      <Notice action={{ label: 'Try again', run: () => void reload() }}>
        {`The log could not be loaded. ${messageFor(log.error)}`}
      </Notice>
    )
  }
  return (
    <>
      {log.failure && (
        <Notice action={{ label: 'Try again', run: () => void reload() }}>
          {`The log may be out of date. ${messageFor(log.failure)}`}
        </Notice>
      )}
      {/* A cached log doesn't show which items have been deleted since. */}
      {!log.fromCache && <OrphanDraftNotices bikeId={gearId} />}
      {log.data.length === 0 && <SetUpNotice gearId={gearId} />}
      {isTimeline ? (
        <Timeline gearId={gearId} items={view(log.data)} />
      ) : (
        <LogTable bikeId={gearId} items={log.data} isUpdating={log.updating} />
      )}
    </>
  )
}

function SetUpNotice({ gearId }: { gearId: number }) {
  const name = useAtomValue(bikeNameAtom)(gearId)
  const setUp = useSetAtom(settingUpAtom)
  return (
    <Notice
      action={{ label: 'Set up this bike', run: () => setUp({ gear_id: gearId, name }), changesData: true }}
    >
      This log is empty. Add the bike’s parts to see their usage and what is due.
    </Notice>
  )
}

function OrphanDraftNotices({ bikeId }: { bikeId: number }) {
  const orphans = useAtomValue(orphanDraftsAtom(bikeId))
  const discard = useSetAtom(discardOrphanDraftsAtom)

  return orphans.map((orphan) => (
    <Notice key={orphan.itemId} action={{ label: 'Discard', run: () => discard(bikeId, orphan.itemId) }}>
      {`${nameOf(orphan)} was deleted elsewhere. Your unsaved changes: ${changesOf(orphan)}.`}
    </Notice>
  ))
}

function nameOf({ drafts }: OrphanDrafts): string {
  const name = drafts.findLast(({ draft }) => draft.itemName)?.draft.itemName
  return name === undefined ? 'A log entry' : quote(name)
}

function changesOf({ drafts }: OrphanDrafts): string {
  return drafts
    .map(({ field, draft }) => `${FIELDS[field].label} ${draft.text === '' ? 'cleared' : `“${draft.text}”`}`)
    .join(', ')
}
