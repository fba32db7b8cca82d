import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { notifyFailure } from '../../components/toasts.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { dayOf } from '../../lib/days.ts'
import { quote } from '../../lib/formats.ts'
import { isSettled } from '../../lib/resource.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { draftedItemsAtom } from '../items/drafts.ts'
import { type Item, END_REASONS } from '../items/fields.ts'
import { logAtom } from '../items/log.ts'
import type { Period } from '../parts/api.ts'
import { historyAtom, saveReasonAtom } from '../parts/atoms.ts'
import { ChangeDayDialog } from '../parts/ChangeDayDialog.tsx'
import { MoveDialog, type MoveKind, type Offer } from '../parts/MoveDialog.tsx'
import { requestReplaceAtom } from '../parts/replace.ts'
import { InstallDialog } from '../parts/StoredParts.tsx'
import styles from './ItemDetails.module.css'
import { ReasonSelect, replaceButtonId } from './ReplaceLine.tsx'

type Opened = 'move' | 'store' | 'install' | 'day' | null

/** What can be done with an item's part. */
export function PartActions({ item }: { item: Item }) {
  const history = useAtomValue(historyAtom(item.part_id))
  const bikes = useAtomValue(bikesAtom)
  const hasDrafts = useAtomValue(draftedItemsAtom(item.bikeId)).includes(item.id)
  const replace = useSetAtom(requestReplaceAtom)
  const saveReason = useSetAtom(saveReasonAtom)
  const readOnly = useReadOnly()
  const [opened, setOpened] = useState<Opened>(null)

  const isInstalled = item.dateEnded === null
  const latest = history.state === 'ready' ? history.data.periods.at(-1) : undefined
  const isStored = latest?.id === item.id && item.ended_as === 'stored'
  const hasOtherBikes =
    bikes.state === 'ready' &&
    bikes.data.some(({ gear_id, is_listed }) => is_listed && gear_id !== item.bikeId)
  /** A change would end the item as it is stored, so unsaved changes come first. */
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
            id={replaceButtonId(item)}
            className="primary"
            {...readOnly}
            onClick={unlessDrafted(() => replace(item))}
          >
            Replace…
          </button>
          {hasOtherBikes && (
            <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('move'))}>
              Move…
            </button>
          )}
          <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('store'))}>
            Store…
          </button>
        </>
      )}
      {isStored && (
        <button type="button" className="primary" {...readOnly} onClick={() => setOpened('install')}>
          Install…
        </button>
      )}
      <button type="button" {...readOnly} onClick={unlessDrafted(() => setOpened('day'))}>
        Change install date
      </button>
      {!isInstalled && (
        <ReasonSelect
          label="Ended as"
          value={END_REASONS.find((reason) => reason === item.ended_as) ?? null}
          disabled={readOnly.disabled}
          onChange={(reason) => void saveReason(item, reason)}
        />
      )}
      {opened === 'day' && <ChangeDayDialog item={item} onClose={() => setOpened(null)} />}
      {opened === 'install' && <InstallDialog part={item} onClose={() => setOpened(null)} />}
      {(opened === 'move' || opened === 'store') && (
        <MoveItemDialog kind={opened} item={item} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

/** Moves or stores an item's part. The parts that moved together with it last time are ticked and first. */
function MoveItemDialog({ kind, item, onClose }: { kind: MoveKind; item: Item; onClose: () => void }) {
  const log = useAtomValue(logAtom(item.bikeId))
  const history = useAtomValue(historyAtom(item.part_id))
  const bikes = useAtomValue(bikesAtom)
  const together = history.state === 'ready' ? history.data.moved_together : []
  const candidates = (log.state === 'ready' ? log.data : [])
    .filter(({ id, dateEnded, type }) => id !== item.id && dateEnded === null && type !== 'Frame')
    .map((one) => Object.assign({ isTicked: together.includes(one.part_id) }, one))
    .toSorted((a, b) => Number(b.isTicked) - Number(a.isTicked))
  const offer: Offer = {
    part: { ...item, isTicked: true },
    candidates,
    bikes: bikes.state === 'ready' ? bikes.data : [],
    firstBike: history.state === 'ready' ? lastOtherBike(history.data.periods, item) : undefined,
    notBefore: dayOf(item.dateStarted),
  }
  const isKnown = [log, history, bikes].every(isSettled)
  return <MoveDialog kind={kind} name={item.name} offer={isKnown ? offer : null} onClose={onClose} />
}

/** The bike that the part was on before this one: it most likely goes back there. */
function lastOtherBike(periods: readonly Period[], { bikeId }: Item): number | undefined {
  return periods.findLast(({ gear_id }) => gear_id !== bikeId)?.gear_id
}
