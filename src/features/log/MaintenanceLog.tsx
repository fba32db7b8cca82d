import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { quote } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { discardOrphanDraftsAtom, type OrphanDrafts, orphanDraftsAtom } from '../entries/drafts.ts'
import { FIELDS } from '../entries/fields.ts'
import { logAtom } from '../entries/log.ts'
import { settingUpAtom } from '../entries/set-up.ts'
import { selectionAtom } from '../entries/shown-items.ts'
import { viewAtom } from './views.tsx'
import { FoundLine } from './FindField.tsx'

export function MaintenanceLog({ gearId }: { gearId: number }) {
  const log = useAtomValue(logAtom(gearId))
  const reload = useSetAtom(logAtom(gearId).reloadAtom)
  const { inLog: View } = useAtomValue(viewAtom)
  const select = useAtomValue(selectionAtom(gearId))

  return (
    <ResourceView
      resource={log}
      failed="The log could not be loaded."
      outdated="The log may be out of date."
      retry={reload}
      loading={<Skeleton width="100%" height="100dvh" />}
    >
      {(items, { fromCache, updating }) => (
        <>
          {/* A cached log doesn't show which items have been deleted since. */}
          {!fromCache && <OrphanDraftNotices bikeId={gearId} />}
          {items.length === 0 && <SetUpNotice gearId={gearId} />}
          <FoundLine items={items} />
          {View && <View gearId={gearId} items={items} shown={select(items)} isUpdating={updating} />}
        </>
      )}
    </ResourceView>
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
