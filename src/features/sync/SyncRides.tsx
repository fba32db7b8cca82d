import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'
import { PopoverButton } from '../../components/PopoverButton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { backendAtom } from '../../lib/backend.ts'
import { formatCount, useFormats } from '../../lib/formats.ts'
import {
  didNotStartAtom,
  isSyncingAtom,
  removeMissingRidesAtom,
  runningSyncAtom,
  syncRidesAtom,
  syncsAtom,
} from './atoms.ts'
import type { SyncResult } from './api.ts'
import { skippedRowsOf, statusLines } from './status.ts'
import styles from './SyncRides.module.css'

const WhatChanged = lazyDialog(() => import('./changes/WhatChanged.tsx'))

export function SyncRides({ isPrimary = false }: { isPrimary?: boolean }) {
  const isSyncing = useAtomValue(isSyncingAtom)
  const sync = useSetAtom(syncRidesAtom)
  const readOnly = useReadOnly()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.row}>
      <button
        ref={button}
        type="button"
        className={isPrimary ? 'primary' : undefined}
        {...readOnly}
        aria-busy={isSyncing}
        aria-disabled={isSyncing}
        onClick={() => void sync()}
      >
        Update Rides from RWGPS
      </button>
      <SyncStatus onRemove={() => button.current?.focus()} />
    </div>
  )
}

function SyncStatus({ onRemove }: { onRemove: () => void }) {
  const syncs = useAtomValue(syncsAtom)
  const formats = useFormats()
  const running = useAtomValue(runningSyncAtom)
  const didNotStart = useAtomValue(didNotStartAtom)
  const known = syncs.state === 'ready' ? syncs.data : null
  const sync = running ? null : (known?.lastOk ?? null)
  const remove = useSetAtom(removeMissingRidesAtom)
  const readOnly = useReadOnly()
  return (
    <>
      <div role="status" className={styles.status}>
        {known &&
          statusLines({ ...known, running, isFailing: didNotStart || known.problem !== null }, formats).map(
            ({ when, text }) => (
              <p key={text}>
                {/* Not live, because screen readers would announce it every minute. */}
                <span aria-live="off">{when}</span>
                {text}
              </p>
            ),
          )}
      </div>
      {known?.lastOk && <WhatChangedButton />}
      {sync !== null && sync.pending_removals > 0 && (
        <button
          type="button"
          {...readOnly}
          onClick={() => {
            // Removing the rides removes this button, so move the focus first.
            onRemove()
            void remove(sync.id)
          }}
        >
          Remove them now
        </button>
      )}
      {sync !== null && sync.skipped_rows !== '' && <SkippedRides sync={sync} />}
    </>
  )
}

/** Stays mounted while a sync is running, so its dialog stays open. */
function WhatChangedButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        What changed
      </button>
      {isOpen && <WhatChanged onClose={() => setOpen(false)} />}
    </>
  )
}

function SkippedRides({ sync }: { sync: SyncResult }) {
  return <PopoverButton label="Show skipped rides">{() => <SkippedRows sync={sync} />}</PopoverButton>
}

function SkippedRows({ sync }: { sync: SyncResult }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const rows = skippedRowsOf(sync)
  const others = sync.skipped - rows.length
  return (
    <div className={`stack small ${styles.skipped}`}>
      <p>
        Rides without a readable ID, time or distance are skipped. Rides synced earlier keep their old values.
        Fix them on Ride with GPS, then update your rides again.
      </p>
      <ul>
        {rows.map(({ id, text }) => (
          <li key={`${id} ${text}`}>
            {id !== null && (
              <>
                <a href={`${rwgpsUrl}/trips/${id}`} target="_blank" rel="noreferrer">
                  Ride {id}
                </a>
                {': '}
              </>
            )}
            {text}
          </li>
        ))}
      </ul>
      {others > 0 && <p>And {formatCount(others)} more</p>}
    </div>
  )
}
