import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { addAmounts } from '../../lib/amount.ts'
import { todayAtom } from '../../lib/clock.ts'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { isPhoneAtom } from '../../lib/screen.ts'
import { FIELDS, isInUse } from '../items/fields.ts'
import { jumpToAtom } from '../items/jump.ts'
import { logAtom } from '../items/log.ts'
import { logViewAtom, VIEW_OPTIONS } from '../items/open-item.ts'
import styles from './LogTools.module.css'
import { isGroupedAtom, ORDER_KEYS, orderAtom, type OrderKey, SHOW_OPTIONS, showAtom } from './shown-items.ts'

/** Chooses what the log shows, and goes to its new row. */
export function LogTools() {
  const [show, setShow] = useAtom(showAtom)
  const [view, setView] = useAtom(logViewAtom)
  const isTable = view === 'table'
  const jumpTo = useSetAtom(jumpToAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const readOnly = useReadOnly()
  return (
    <>
      {!isPhone && isTable && <GroupButton />}
      <SegmentedControl legend="View" options={VIEW_OPTIONS} value={view} onChange={setView} />
      <SegmentedControl legend="Log entries" options={SHOW_OPTIONS} value={show} onChange={setShow} />
      {isPhone && isTable && (
        <PopoverButton label="Sort" side="below">
          {() => <PhoneOrder />}
        </PopoverButton>
      )}
      {(isTable || !isPhone) && (
        <button type="button" className="primary" {...readOnly} onClick={() => jumpTo('new')}>
          +ADD ROW
        </button>
      )}
    </>
  )
}

function GroupButton() {
  const [isGrouped, setGrouped] = useAtom(isGroupedAtom)
  return (
    <button type="button" className="quiet" aria-pressed={isGrouped} onClick={() => setGrouped(!isGrouped)}>
      Group by type
    </button>
  )
}

const DIRECTIONS = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
] as const

/** On a phone, the table has no headers to sort by. */
function PhoneOrder() {
  const [{ key, desc }, setOrder] = useAtom(orderAtom)
  const { name } = useAtomValue(unitsAtom)
  const labels = { useMiles: `Use ${name}`, useTime: 'Use Time' }
  return (
    <div className={styles.order}>
      <label>
        Sort by{' '}
        <select value={key} onChange={(event) => setOrder({ key: event.target.value as OrderKey, desc })}>
          {ORDER_KEYS.map((one) => (
            <option key={one} value={one}>
              {one === 'useMiles' || one === 'useTime' ? labels[one] : FIELDS[one].label}
            </option>
          ))}
        </select>
      </label>
      <SegmentedControl
        legend="Direction"
        options={DIRECTIONS}
        value={desc ? 'desc' : 'asc'}
        onChange={(direction) => setOrder({ key, desc: direction === 'desc' })}
      />
      <GroupButton />
    </div>
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
