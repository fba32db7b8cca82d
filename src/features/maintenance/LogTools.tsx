import { useAtom, useAtomValue } from 'jotai'

import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { addAmounts } from '../../lib/amount.ts'
import { todayAtom } from '../../lib/clock.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { logAtom } from './log.ts'
import styles from './LogTools.module.css'
import { goToNewRow } from './NewRow.tsx'
import { isGroupedAtom, isInUse, SHOW_OPTIONS, showAtom } from './view.ts'

/** Chooses what the log shows, and goes to its new row. */
export function LogTools() {
  const [show, setShow] = useAtom(showAtom)
  const [isGrouped, setGrouped] = useAtom(isGroupedAtom)
  const readOnly = useReadOnly()
  return (
    <>
      <button
        type="button"
        className={styles.group}
        aria-pressed={isGrouped}
        onClick={() => setGrouped(!isGrouped)}
      >
        Group by type
      </button>
      <SegmentedControl legend="Log entries" options={SHOW_OPTIONS} value={show} onChange={setShow} />
      <button type="button" className="primary" {...readOnly} onClick={goToNewRow}>
        +ADD ROW
      </button>
    </>
  )
}

/** What the bike's log costs, and how many items are in use. */
export function LogTiles({ gearId }: { gearId: number }) {
  const log = useAtomValue(logAtom(gearId))
  const today = useAtomValue(todayAtom)
  if (log.state === 'failed') return null
  const items = log.state === 'ready' ? log.data : null
  const cost = items && formatCurrency(addAmounts(items.map((item) => item.cost)))
  const inUse = items?.filter((item) => isInUse(item, today)).length
  return (
    <>
      <p className={styles.tile}>
        <strong>{cost ?? <Skeleton width="5rem" height="1rem" />}</strong> all entries
      </p>
      <p className={styles.tile}>
        <strong>{inUse ?? <Skeleton width="1rem" height="1rem" />}</strong> in use
      </p>
    </>
  )
}
