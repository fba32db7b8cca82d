import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { END_REASONS } from '../../../../supabase/functions/_shared/limits.ts'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { PopoverButton } from '../../../components/PopoverButton.tsx'
import { notifyFailure } from '../../../components/toasts.tsx'
import { useReadOnly } from '../../../components/read-only.ts'
import { dayOf } from '../../../lib/days.ts'
import { quote } from '../../../lib/formats.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import { draftedItemsAtom } from '../data/drafts.ts'
import { type Item, isWork } from '../data/fields.ts'
import { logAtom } from '../data/log.ts'
import { partDetailsAtom, usageAtom } from '../data/usage.ts'
import type { Usage } from '../data/usage-api.ts'
import { WhatIfDialog } from '../../lifetimes/WhatIf.tsx'
import { saveReasonAtom } from '../actions/atoms.ts'
import { ChangeDayDialog } from '../actions/ChangeDayDialog.tsx'
import { isTireOf, kindOf } from '../data/kinds.ts'
import { MoveDialog, type MoveKind, moveTitle } from '../actions/MoveDialog.tsx'
import { openReplaceFormAtom } from '../data/open-item.ts'
import { ReasonSelect } from '../actions/ReasonSelect.tsx'
import { InstallDialog } from '../actions/StoredParts.tsx'
import styles from './ItemDetails.module.css'

type Opened = 'move' | 'store' | 'install' | 'day' | 'what-if' | null

export function PartActions({ item }: { item: Item }) {
  const details = useAtomValue(partDetailsAtom(item))
  const bikes = useAtomValue(bikesAtom)
  const hasDrafts = useAtomValue(draftedItemsAtom(item.bikeId)).includes(item.id)
  const replace = useSetAtom(openReplaceFormAtom)
  const saveReason = useSetAtom(saveReasonAtom)
  const readOnly = useReadOnly()
  const [opened, setOpened] = useState<Opened>(null)

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
            onClick={unlessDrafted(() => replace(item.id))}
          >
            Replace…
          </button>
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
              <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('day'))}>
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
          disabled={readOnly.disabled}
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

function MoveItemDialog({ kind, item, onClose }: { kind: MoveKind; item: Item; onClose: () => void }) {
  const reads = [logAtom(item.bikeId), partDetailsAtom(item), bikesAtom, usageAtom(item.bikeId)] as const
  return (
    <ResourceDialog title={moveTitle(kind)} lead={item.name} reads={reads} onClose={onClose}>
      {(log, { moved_together }, bikes, usage) => (
        <MoveDialog
          kind={kind}
          part={{ ...item, isTicked: true }}
          candidates={candidatesOf(item, log, moved_together, usage)}
          bikes={bikes}
          notBefore={dayOf(item.dateStarted)}
          onClose={onClose}
        />
      )}
    </ResourceDialog>
  )
}

/** Ticks the parts that moved with this part last time, or a wheel's tires, and lists the cassette and rotors next. */
function candidatesOf(item: Item, log: readonly Item[], movedBefore: readonly number[], usage: Usage) {
  const isWheel = item.type === 'Wheels'
  return log
    .filter(({ id, dateEnded, type }) => id !== item.id && dateEnded === null && type !== 'Frame')
    .map((one) => {
      const kind = isWheel ? kindOf(usage, one) : null
      const isTire = isTireOf(kindOf(usage, item), kind)
      const isTicked = movedBefore.includes(one.part_id) || (movedBefore.length === 0 && isTire)
      const place = isTicked ? 0 : isTire ? 1 : kind === 'cassette' || kind === 'rotor' ? 2 : 3
      return Object.assign({ isTicked, place }, one)
    })
    .toSorted((a, b) => a.place - b.place)
}
