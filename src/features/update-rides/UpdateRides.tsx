import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import {
  lookForUpdatesAtom,
  removeMissingRidesAtom,
  syncsAtom,
  updateRidesAtom,
  updatingAtom,
} from './atoms.ts'
import { SkippedRides } from './SkippedRides.tsx'
import { statusLines } from './status.ts'
import styles from './UpdateRides.module.css'

const POLL_MS = 1000

export function UpdateRides() {
  const isUpdating = useAtomValue(updatingAtom)
  const update = useSetAtom(updateRidesAtom)
  const readOnly = useReadOnly()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.row}>
      <button
        ref={button}
        type="button"
        {...readOnly}
        aria-busy={isUpdating}
        aria-disabled={isUpdating}
        onClick={() => void update()}
      >
        Update Rides from RWGPS
      </button>
      <UpdateStatus isUpdating={isUpdating} onRemove={() => button.current?.focus()} />
    </div>
  )
}

function UpdateStatus({ isUpdating, onRemove }: { isUpdating: boolean; onRemove: () => void }) {
  const syncs = useAtomValue(syncsAtom)
  const look = useSetAtom(lookForUpdatesAtom)
  const known = syncs.state === 'ready' ? syncs.data : null
  const running = known?.running ?? (isUpdating ? { fetched: 0 } : null)
  const isRunning = running !== null

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => void look(), POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, look])

  const sync = isRunning ? null : (known?.lastOk ?? null)
  return (
    <>
      <div role="status" className={styles.status}>
        {known && statusLines({ ...known, running }).map((line) => <p key={line}>{line}</p>)}
      </div>
      {sync !== null && sync.waiting > 0 && <RemoveMissing shownBy={sync.id} onRemove={onRemove} />}
      {sync !== null && sync.skipped_rows !== '' && <SkippedRides sync={sync} />}
    </>
  )
}

function RemoveMissing({ shownBy, onRemove }: { shownBy: number; onRemove: () => void }) {
  const remove = useSetAtom(removeMissingRidesAtom)
  const readOnly = useReadOnly()
  return (
    <button
      type="button"
      {...readOnly}
      onClick={() => {
        // This button goes with the rides, and the focus would go with it.
        onRemove()
        void remove(shownBy)
      }}
    >
      Remove them now
    </button>
  )
}
