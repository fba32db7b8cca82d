import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Fragment, useState } from 'react'

import { Notice } from '../../components/Notice.tsx'
import { Section } from '../../components/Section.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ROLES } from '../../components/table-roles.ts'
import { ariaSort, SortArrow } from '../../components/SortArrow.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { todayAtom } from '../../lib/clock.ts'
import { messageFor } from '../../lib/errors.ts'
import { formatCount } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { roundUp } from '../../lib/scale.ts'
import { sortBy } from '../../lib/sort.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { Group, Lifetime, Lifetimes as Data } from './api.ts'
import { allLifetimesAtom, type Choice, choiceAtom, lifetimesAtom } from './atoms.ts'
import {
  amountOf,
  type Axis,
  costOf,
  lifetimesToCsv,
  longestOf,
  rangeOf,
  rateLabel,
  rateOf,
  typicalOf,
  unitOf,
} from './lifetime-stats.ts'
import { GroupDetails } from './GroupDetails.tsx'
import styles from './Lifetimes.module.css'
import { useDescribe } from './links.ts'
import { Marks } from './Marks.tsx'

/** How long parts lasted, a row per type and name. */
export function Lifetimes() {
  const lifetimes = useAtomValue(lifetimesAtom)
  const reload = useSetAtom(lifetimesAtom)
  const [axis, setAxis] = useState<Axis>('distance')
  const units = useAtomValue(unitsAtom)
  return (
    <Section
      heading="Lifetimes"
      aside={
        <SegmentedControl
          legend="Lifetimes in"
          options={[
            { value: 'distance', label: units.name },
            { value: 'moving_time', label: 'Hours' },
          ]}
          value={axis}
          onChange={setAxis}
        />
      }
    >
      {lifetimes.state === 'loading' && <Skeleton width="100%" height="20rem" />}
      {lifetimes.state === 'failed' && (
        <Notice action={{ label: 'Try again', run: () => void reload() }}>
          {`The lifetimes could not be calculated. ${messageFor(lifetimes.error)}`}
        </Notice>
      )}
      {lifetimes.state === 'ready' && <Chart data={lifetimes.data} axis={axis} />}
    </Section>
  )
}

function Chart({ data, axis }: { data: Data; axis: Axis }) {
  const { type } = useAtomValue(choiceAtom)
  const [pointed, setPointed] = useState<Lifetime | null>(null)
  const describe = useDescribe()
  const groups = data.groups.filter((group) => type === '' || (group.type ?? NO_TYPE) === type)
  const withoutReason = groups.reduce((sum, { ended_without_reason }) => sum + ended_without_reason, 0)
  return (
    <div className={styles.card}>
      <Filters groups={groups} />
      {groups.length === 0 ? (
        <p className={styles.note}>No parts in the log yet, or none that match.</p>
      ) : (
        <>
          <GroupsTable groups={groups} comparisons={data.comparisons} axis={axis} onPoint={setPointed} />
          <p className={styles.note}>
            {pointed
              ? describe(pointed, axis)
              : '● worn out   ○ ended early   → still in use   bar: shortest to longest'}
          </p>
          {withoutReason > 0 && (
            <p className={styles.note}>
              {withoutReason === 1
                ? '1 part has no end reason; it counts as worn out.'
                : `${formatCount(withoutReason)} parts have no end reason; they count as worn out.`}
            </p>
          )}
        </>
      )}
    </div>
  )
}

const NO_TYPE = 'No type'

/** The choices come from all lifetimes, so choosing one doesn't take away the others. */
function Filters({ groups }: { groups: readonly Group[] }) {
  const [choice, setChoice] = useAtom(choiceAtom)
  const all = useAtomValue(allLifetimesAtom)
  const units = useAtomValue(unitsAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const known = all.state === 'ready' ? all.data.groups : []
  const lifetimes = known.flatMap((group) => group.lifetimes)
  const years = lifetimes.map(({ started }) => Number(started.slice(0, 4)))
  const [first, last] = [Math.min(...years), Number(useAtomValue(todayAtom).slice(0, 4))]
  const listed =
    years.length === 0
      ? []
      : Array.from({ length: Math.max(1, last - first + 1) }, (_, n) => String(last - n))
  const fields: [keyof Choice, string, { value: string; label: string }[]][] = [
    ['type', 'Type', optionsOf(known.map(({ type }) => type ?? NO_TYPE))],
    [
      'bike',
      'Bike',
      optionsOf(
        lifetimes.map(({ gear_id }) => String(gear_id)),
        (id) => bikeName(Number(id)),
      ),
    ],
    ['from', 'In use from', listed.map((year) => ({ value: year, label: year }))],
    ['to', 'In use to', listed.map((year) => ({ value: year, label: year }))],
  ]
  return (
    <div className={styles.filters}>
      {fields.map(([key, label, options]) => (
        <label key={key} className="field">
          {label}
          <select
            value={choice[key]}
            onChange={(event) => setChoice({ ...choice, [key]: event.target.value })}
          >
            <option value="">All</option>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button
        type="button"
        disabled={groups.length === 0}
        onClick={() => saveFile('lifetimes.csv', lifetimesToCsv(groups, units, bikeName), 'text/csv')}
      >
        Download CSV
      </button>
    </div>
  )
}

function optionsOf(values: readonly string[], labelOf = (value: string) => value) {
  return [...new Set(values)]
    .map((value) => ({ value, label: labelOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

/** The number of groups until the owner asks for all. */
const SHOWN_AT_FIRST = 12

type SortKey = 'name' | 'longest' | 'median' | 'range' | 'count' | 'cost'
type TableProps = {
  groups: readonly Group[]
  comparisons: Data['comparisons']
  axis: Axis
  onPoint: (lifetime: Lifetime | null) => void
}

function GroupsTable({ groups, comparisons, axis, onPoint }: TableProps) {
  const units = useAtomValue(unitsAtom)
  const [sort, setSort] = useState<{ key: SortKey; desc: boolean }>({ key: 'count', desc: true })
  const [open, setOpen] = useState<string | null>(null)
  const [isComplete, setComplete] = useState(false)
  const top = roundUp(amountOf(Math.max(0, ...groups.map((group) => longestOf(group, axis))), axis, units))

  const values: Record<SortKey, (group: Group) => string | number | null> = {
    name: ({ name }) => name.trim(),
    longest: (group) => longestOf(group, axis),
    median: ({ median }) => median?.[axis] ?? null,
    range: ({ range }) => range?.[axis][0] ?? null,
    count: ({ lifetimes }) => lifetimes.length,
    cost: (group) => rateOf(group, axis, units),
  }
  // Among equals, the longest comes first.
  const sorted = sortBy(sortBy(groups, values.longest, true), values[sort.key], sort.desc)
  const shown = isComplete ? sorted : sorted.slice(0, SHOWN_AT_FIRST)
  const headers: [SortKey, string][] = [
    ['name', 'Part'],
    ['longest', `Lifetimes (${unitOf(axis, units)})`],
    ['median', 'Typical'],
    ['range', 'Range'],
    ['count', 'Count'],
    ['cost', rateLabel(axis, units)],
  ]
  return (
    <>
      <table {...ROLES.table} className={styles.table}>
        <thead {...ROLES.group}>
          <tr {...ROLES.row}>
            {headers.map(([key, label]) => (
              <th
                key={key}
                {...ROLES.header}
                scope="col"
                data-column={key}
                aria-sort={ariaSort(key === sort.key && (sort.desc ? 'desc' : 'asc'))}
              >
                <button
                  type="button"
                  className="sort"
                  onClick={() => setSort({ key, desc: key === sort.key ? !sort.desc : key !== 'name' })}
                >
                  {label} <SortArrow direction={key === sort.key && (sort.desc ? 'desc' : 'asc')} />
                </button>
                {key === 'longest' && <Ticks top={top} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group}>
          {shown.map((group) => {
            const { key } = group
            return (
              <Fragment key={key}>
                <GroupRow
                  group={group}
                  axis={axis}
                  top={top}
                  isOpen={key === open}
                  onPoint={onPoint}
                  onToggle={() => setOpen(key === open ? null : key)}
                />
                {key === open && (
                  <tr {...ROLES.row} className={styles.opened}>
                    <td {...ROLES.cell} colSpan={headers.length}>
                      <GroupDetails group={group} groups={groups} comparisons={comparisons} axis={axis} />
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {sorted.length > shown.length && (
        <button type="button" className={styles.more} onClick={() => setComplete(true)}>
          {`Show all ${sorted.length}`}
        </button>
      )}
    </>
  )
}

function Ticks({ top }: { top: number }) {
  return (
    <span className={styles.ticks} aria-hidden>
      {[0, 0.5, 1].map((part) => (
        <span key={part}>{formatCount(top * part)}</span>
      ))}
    </span>
  )
}

type RowProps = {
  group: Group
  axis: Axis
  top: number
  isOpen: boolean
  onPoint: TableProps['onPoint']
  onToggle: () => void
}

function GroupRow({ group, axis, top, isOpen, onPoint, onToggle }: RowProps) {
  const units = useAtomValue(unitsAtom)
  return (
    <tr {...ROLES.row}>
      <th {...ROLES.rowHeader} scope="row">
        <button type="button" className={styles.name} aria-expanded={isOpen} onClick={onToggle}>
          <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden>
            <path d="M1.5 0 7 4 1.5 8z" fill="currentColor" />
          </svg>
          <span>{group.name}</span> <small data-type={group.type ?? ''}>{group.type}</small>
        </button>
      </th>
      <td {...ROLES.cell} data-column="longest">
        <Marks group={group} axis={axis} top={top} onPoint={onPoint} />
      </td>
      <td {...ROLES.cell}>{typicalOf(group, axis, units)}</td>
      <td {...ROLES.cell} data-column="range">
        {rangeOf(group, axis, units)}
      </td>
      <td {...ROLES.cell} data-column="count">
        {formatCount(group.lifetimes.length)}
      </td>
      <td {...ROLES.cell} data-unit={axis === 'distance' ? `/ 1,000 ${units.distance.unit}` : '/ h'}>
        {costOf(group, axis, units)}
      </td>
    </tr>
  )
}
