import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { counted, formatCount, formatDuration, useFormats } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { isTabletAtom } from '../../lib/screen.ts'
import type { ShownRides } from './atoms.ts'
import { columnsAtom, resetColumnsAtom, visibilityAtom } from './columns.tsx'
import { drillDownAtom } from './drill-down.ts'
import { activeFiltersAtom, chosenGearAtom, chosenSortAtom, sortRidesAtom } from './filters.ts'
import { csvFileName, ridesToCsv } from './ride-csv.ts'
import styles from './RidesList.module.css'
import type { RideRow } from './rows.ts'
import { readSort, type SortParameter, writeSort } from './sort.ts'
import type { RideTotals } from './totals.ts'

/** Shows and announces the number and order of rides, because screen reader users can't see the table change. */
export function RidesSummary({ shown }: { shown: ShownRides }) {
  const { rows, total, read } = shown
  const sortName = useAtomValue(sortNameAtom)
  const isTwoLine = useAtomValue(isTabletAtom)
  const count =
    rows.length === total
      ? counted(total, 'ride')
      : `${formatCount(rows.length)} of ${formatCount(total)} rides`

  return (
    <p className={styles.summary} aria-live="polite">
      {count}
      <OtherGear />
      {isTwoLine && <Totals totals={shown.totals} />}
      {read < total ? (
        <span className="soft">{`, ${formatCount(total - read)} still loading`}</span>
      ) : (
        <span className="visually-hidden">{`, sorted by ${sortName}`}</span>
      )}
    </p>
  )
}

function Totals({ totals }: { totals: RideTotals }) {
  const { distance, elevation } = useFormats()
  return (
    <>
      {` · ${distance.format(totals.distance)} · ${formatDuration(totals.moving_time)}`}
      <span className="wide-only">{` · ${elevation.format(totals.elevation_gain)}`}</span>
    </>
  )
}

function OtherGear() {
  const isDrillDown = useAtomValue(drillDownAtom).state === 'on'
  const isOther = useAtomValue(activeFiltersAtom).includes('gear')
  const { value, label } = useAtomValue(chosenGearAtom)
  if (isDrillDown || !isOther) return null
  return { all: ' on all bikes', none: ' without a bike' }[value] ?? ` on ${label}`
}

const ORDERS: Partial<Record<SortParameter, string>> = {
  '-name': 'Name, Z to A',
  name: 'Name, A to Z',
  '-date': 'Newest first',
  date: 'Oldest first',
  '-distance': 'Longest first',
}

const sortNameAtom = atom((get) => {
  const { key, desc } = get(chosenSortAtom)
  const { header } = get(columnsAtom).find(({ id }) => id === key)!
  return `${header}, ${desc ? 'descending' : 'ascending'}`
})

/** Sorts rides where there are no column headers. Orders outside ORDERS are listed only while chosen. */
export function SortField() {
  const chosen = writeSort(useAtomValue(chosenSortAtom))
  const name = useAtomValue(sortNameAtom)
  const sort = useSetAtom(sortRidesAtom)
  const orders = { ...ORDERS, [chosen]: ORDERS[chosen] ?? name }

  return (
    <label className={styles.sort}>
      <span className="phone-hidden">Sort</span>
      <select value={chosen} onChange={(event) => sort(readSort(event.target.value))}>
        {Object.entries(orders).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

export function ColumnsMenu() {
  return <PopoverButton label="Columns">{() => <Choices />}</PopoverButton>
}

function Choices() {
  const [visibility, setVisibility] = useAtom(visibilityAtom)
  const reset = useSetAtom(resetColumnsAtom)
  const hideable = useAtomValue(columnsAtom).filter(({ enableHiding }) => enableHiding)
  return (
    <fieldset className={styles.choices}>
      <legend>Show columns</legend>
      {hideable.map(({ id, header }) => (
        <label key={id} className={styles.choice}>
          <input
            type="checkbox"
            checked={visibility[id] !== false}
            onChange={(event) => setVisibility((old) => ({ ...old, [id]: event.target.checked }))}
          />
          {header}
        </label>
      ))}
      <p className="note">
        To resize a column, drag the edge of its header, or focus the header and press Shift + ← or →.
      </p>
      <button type="button" onClick={reset}>
        Reset columns
      </button>
    </fieldset>
  )
}

export function DownloadCsv({ rows, isComplete }: { rows: RideRow[]; isComplete: boolean }) {
  const { label } = useAtomValue(chosenGearAtom)
  const today = useAtomValue(todayAtom)
  const formats = useFormats()

  return (
    <button
      type="button"
      disabled={rows.length === 0 || !isComplete}
      onClick={() => saveFile(csvFileName(label, today), ridesToCsv(rows, formats), 'text/csv')}
    >
      Download CSV
    </button>
  )
}
