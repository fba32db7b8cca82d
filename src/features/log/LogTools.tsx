import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { todayAtom } from '../../lib/clock.ts'
import { useFormats } from '../../lib/formats.ts'
import { isPhoneAtom, isTwoLineAtom } from '../../lib/screen.ts'
import { phaseOf, totalCost } from '../entries/fields.ts'
import { jumpToAtom } from '../entries/jump.ts'
import { drillDownHref, ridesSortAtom } from '../entries/links.ts'
import { logAtom } from '../entries/log.ts'
import { usageAtom } from '../entries/usage.ts'
import { logViewAtom } from '../entries/open-item.ts'
import { VIEW_OPTIONS } from './views.tsx'
import { FindField } from './FindField.tsx'
import styles from './LogTools.module.css'
import {
  isGroupedAtom,
  labelOf,
  ORDER_KEYS,
  orderAtom,
  type OrderKey,
  SHOW_OPTIONS,
  showAtom,
} from '../entries/shown-items.ts'

export function LogTools() {
  const [view, setView] = useAtom(logViewAtom)
  const isTable = view === 'table'
  const jumpTo = useSetAtom(jumpToAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const readOnly = useReadOnly('add_item')
  return (
    <>
      <FindField />
      {!isTwoLine && isTable && <GroupButton />}
      <SegmentedControl legend="View" options={VIEW_OPTIONS} value={view} onChange={setView} />
      {!isPhone && <ShowChoice />}
      {(isPhone || (isTwoLine && isTable)) && (
        <PopoverButton label={isPhone ? <ShownLabel /> : 'Sort'}>
          {() => (
            <div className={styles.order}>
              {isPhone && <ShowChoice />}
              {isTable && <OrderChoice />}
            </div>
          )}
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

function ShowChoice() {
  const [show, setShow] = useAtom(showAtom)
  return <SegmentedControl legend="Log entries" options={SHOW_OPTIONS} value={show} onChange={setShow} />
}

function ShownLabel() {
  const show = useAtomValue(showAtom)
  return (
    <>
      <span className="visually-hidden">Filter and sort: </span>
      {SHOW_OPTIONS.find(({ value }) => value === show)?.label}
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

/** Offers the sort order, because two-line entries have no column headers. */
function OrderChoice() {
  const [{ key, desc }, setOrder] = useAtom(orderAtom)
  const formats = useFormats()
  return (
    <>
      <label>
        Sort by{' '}
        <select value={key} onChange={(event) => setOrder({ key: event.target.value as OrderKey, desc })}>
          {ORDER_KEYS.map((one) => (
            <option key={one} value={one}>
              {labelOf(one, formats)}
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
    </>
  )
}

export function LogTiles({ gearId }: { gearId: number }) {
  const log = useAtomValue(logAtom(gearId))
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  if (log.state === 'failed') return null
  const items = log.state === 'ready' ? log.data : null
  const cost = items && totalCost(items, formats)
  const phases = items && Map.groupBy(items, (item) => phaseOf(item, today))
  const planned = phases?.get('planned')?.length
  return (
    <>
      <p className={styles.tile}>
        <strong>{cost ?? <Skeleton width="5rem" height="1rem" />}</strong> all entries
      </p>
      <p className={styles.tile}>
        <strong>
          {phases ? (phases.get('in-use')?.length ?? 0) : <Skeleton width="1rem" height="1rem" />}
        </strong>
        {planned ? ` in use, ${planned} planned` : ' in use'}
      </p>
    </>
  )
}

export function TotalMiles({ gearId }: { gearId: number }) {
  const usage = useAtomValue(usageAtom(gearId))
  const { name, distance } = useFormats()
  const sort = useAtomValue(ridesSortAtom)
  const reload = useSetAtom(usageAtom(gearId).reloadAtom)

  if (usage.state === 'loading') {
    return (
      <p className={styles.total} aria-busy>
        Total {name} <Skeleton width="6.25rem" height="1rem" />
      </p>
    )
  }
  const isReady = usage.state === 'ready'
  const meters = isReady ? usage.data.total.distance : null
  const failure = isReady ? usage.failure : usage.error
  return (
    <>
      <p className={styles.total} aria-busy={isReady && usage.updating}>
        <a href={drillDownHref(gearId, 'all', sort)}>{`Total ${name} ${distance.format(meters)}`}</a>{' '}
        {isReady && usage.data.total.rides === 0 && <span className="note">No rides yet</span>}
      </p>
      {failure && (
        <Failure what={`${name} and times could not be calculated.`} error={failure} retry={reload} isLine />
      )}
    </>
  )
}
