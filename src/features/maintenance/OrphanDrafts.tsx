import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { LABELS } from './fields.ts'
import { discardOrphanAtom, orphansAtom } from './orphans.ts'

/** Shows what was typed into records that were deleted meanwhile, until it is thrown away. */
export function OrphanDrafts({ bikeId }: { bikeId: number }) {
  const orphans = useAtomValue(orphansAtom(bikeId))
  const discard = useSetAtom(discardOrphanAtom)

  return orphans.map(({ record, typed }) => (
    <Notice key={record} action={{ label: 'Discard', run: () => discard(bikeId, record) }}>
      {`This record was deleted elsewhere and had changes that are not saved: ${typed
        .map(({ field, text }) => `${LABELS[field]} “${text}”`)
        .join(', ')}.`}
    </Notice>
  ))
}
