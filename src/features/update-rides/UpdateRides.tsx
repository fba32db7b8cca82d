import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { lookForUpdatesAtom, syncsAtom, updateRidesAtom, updatingAtom } from './atoms.ts'
import { statusLine } from './status.ts'
import styles from './UpdateRides.module.css'

const POLL_MS = 1000

export function UpdateRides() {
  const isUpdating = useAtomValue(updatingAtom)
  const update = useSetAtom(updateRidesAtom)
  const readOnly = useReadOnly()
  return (
    <div className={styles.row}>
      <button
        type="button"
        {...readOnly}
        aria-busy={isUpdating}
        aria-disabled={isUpdating}
        onClick={() => void update()}
      >
        Update Rides from RWGPS
      </button>
      <UpdateStatus isUpdating={isUpdating} />
    </div>
  )
}

function UpdateStatus({ isUpdating }: { isUpdating: boolean }) {
  const syncs = useAtomValue(syncsAtom)
  const look = useSetAtom(lookForUpdatesAtom)
  const told = syncs.state === 'ready' ? syncs.data.running : null
  const running = told ?? (isUpdating ? { fetched: 0 } : null)
  const isRunning = running !== null

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => void look(), POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, look])

  return (
    <p role="status" className={styles.status}>
      {syncs.state === 'ready' && statusLine(running, syncs.data.lastOk)}
    </p>
  )
}
