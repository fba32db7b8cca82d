import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { isRotated } from '../../../../supabase/functions/_shared/kinds.ts'
import { END_REASONS } from '../../../../supabase/functions/_shared/limits.ts'
import { PopoverButton } from '../../../components/PopoverButton.tsx'
import { notifyFailure } from '../../../components/toasts.tsx'
import { useReadOnly } from '../../../components/read-only.ts'
import { quote } from '../../../lib/formats.ts'
import { bikeNameAtom, bikesAtom } from '../../bikes/atoms.ts'
import { draftedItemsAtom } from '../../entries/drafts.ts'
import { type Item, isWork, knownAs } from '../../entries/fields.ts'
import { rotatingAtom } from '../../entries/rotating.ts'
import { partDetailsAtom } from '../../entries/usage.ts'
import { WhatIfDialog } from '../../lifetimes/WhatIf.tsx'
import { saveReasonAtom } from '../actions/atoms.ts'
import { ChangeDayDialog } from '../actions/ChangeDayDialog.tsx'
import MoveItemDialog from '../actions/MoveItemDialog.tsx'
import { openItemFormAtom } from '../../entries/open-item.ts'
import { ReasonSelect } from '../actions/ReasonSelect.tsx'
import InstallDialog from '../actions/InstallDialog.tsx'
import styles from './ItemDetails.module.css'

type Opened = 'move' | 'store' | 'install' | 'day' | 'what-if' | null

export function PartActions({ item }: { item: Item }) {
  const details = useAtomValue(partDetailsAtom(item))
  const bikes = useAtomValue(bikesAtom)
  const hasDrafts = useAtomValue(draftedItemsAtom(item.bikeId)).includes(knownAs(item))
  const openForm = useSetAtom(openItemFormAtom)
  const saveReason = useSetAtom(saveReasonAtom)
  const readOnly = useReadOnly('change_parts')
  const online = useReadOnly()
  const [opened, setOpened] = useState<Opened>(null)

  const rotate = useSetAtom(rotatingAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const openRotation = () =>
    isRotated(item.kind) && rotate({ gear_id: item.bikeId, name: bikeName(item.bikeId), kind: item.kind })

  const isInstalled = item.dateEnded === null
  const latest = details.state === 'ready' ? details.data.periods.at(-1) : undefined
  const isStored = latest?.id === item.id && item.ended_as === 'stored'
  const hasOtherBikes =
    bikes.state === 'ready' &&
    bikes.data.some(({ gear_id, is_listed }) => is_listed && gear_id !== item.bikeId)
  /** These actions end the stored item, so the owner must save or restore unsaved changes first. */
  const unlessDrafted = (open: () => void) => () => {
    if (hasDrafts) notifyFailure(`Save or restore your changes to ${quote(item.name)} first.`)
    else open()
  }

  return (
    <div className={styles.actions}>
      {isInstalled && (
        <>
          <button
            type="button"
            className="primary"
            {...readOnly}
            onClick={unlessDrafted(() => openForm(item.id, 'replace'))}
          >
            Replace…
          </button>
          {isRotated(item.kind) && item.position !== null && item.position !== 'both' && (
            <button type="button" {...online} onClick={unlessDrafted(openRotation)}>
              Rotate…
            </button>
          )}
          {hasOtherBikes && (
            <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('move'))}>
              Move…
            </button>
          )}
        </>
      )}
      {isStored && (
        <button type="button" className="primary" {...readOnly} onClick={() => setOpened('install')}>
          Install…
        </button>
      )}
      <span className={styles.more}>
        <PopoverButton label="More">
          {() => (
            <>
              {isInstalled && (
                <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('store'))}>
                  Store…
                </button>
              )}
              <button type="button" {...online} onClick={unlessDrafted(() => setOpened('day'))}>
                Change install date…
              </button>
              {!isWork(item) && (
                <button type="button" onClick={() => setOpened('what-if')}>
                  What if…
                </button>
              )}
            </>
          )}
        </PopoverButton>
      </span>
      {!isInstalled && (
        <ReasonSelect
          label="Reason removed"
          value={END_REASONS.find((reason) => reason === item.ended_as) ?? null}
          disabled={online.disabled}
          onChange={(reason) => void saveReason(item, reason)}
        />
      )}
      {opened === 'day' && <ChangeDayDialog item={item} onClose={() => setOpened(null)} />}
      {opened === 'what-if' && <WhatIfDialog item={item} onClose={() => setOpened(null)} />}
      {opened === 'install' && <InstallDialog part={item} onClose={() => setOpened(null)} />}
      {(opened === 'move' || opened === 'store') && (
        <MoveItemDialog kind={opened} item={item} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}
