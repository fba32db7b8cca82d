import { useAtomValue } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { formatCount } from '../../lib/formats.ts'
import type { SyncResult } from './api.ts'
import styles from './SkippedRides.module.css'
import { skippedRowsOf } from './status.ts'

export function SkippedRides({ sync }: { sync: SyncResult }) {
  return <PopoverButton label="Show skipped rides">{() => <Rows sync={sync} />}</PopoverButton>
}

function Rows({ sync }: { sync: SyncResult }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const rows = skippedRowsOf(sync)
  const others = sync.skipped - rows.length
  return (
    <div className={styles.skipped}>
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
