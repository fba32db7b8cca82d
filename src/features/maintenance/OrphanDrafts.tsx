import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { quote } from '../../lib/quote.ts'
import { LABELS } from './fields.ts'
import { discardOrphanAtom, type Orphan, orphansAtom } from './orphans.ts'

/** Shows what was typed into items that were deleted elsewhere, until the owner discards it. */
export function OrphanDrafts({ bikeId }: { bikeId: number }) {
  const orphans = useAtomValue(orphansAtom(bikeId))
  const discard = useSetAtom(discardOrphanAtom)

  return orphans.map((orphan) => (
    <Notice key={orphan.record} action={{ label: 'Discard', run: () => discard(bikeId, orphan.record) }}>
      {`${nameOf(orphan)} was deleted elsewhere. Your unsaved changes: ${changesOf(orphan)}.`}
    </Notice>
  ))
}

function nameOf({ typed }: Orphan): string {
  const name = typed.findLast(({ draft }) => draft.itemName)?.draft.itemName
  return name === undefined ? 'A log entry' : quote(name)
}

function changesOf({ typed }: Orphan): string {
  return typed
    .map(({ field, draft }) => `${LABELS[field]} ${draft.text === '' ? 'cleared' : `“${draft.text}”`}`)
    .join(', ')
}
