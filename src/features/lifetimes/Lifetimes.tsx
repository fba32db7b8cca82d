import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'

import { AXES, RIDE_AXES, type RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { PopoverButton } from '../../components/PopoverButton.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { SaveCsv } from '../../components/SaveCsv.tsx'
import { Section } from '../../components/Section.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { formatCount, upperFirst, useFormats } from '../../lib/formats.ts'
import { roundUp } from '../../lib/scale.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { Family, Group, Lifetime, Lifetimes as Data } from './api.ts'
import { answerOf, countsOf, formatRate, lengthOf, longestIn, titleOf } from './answers.ts'
import {
  allLifetimesAtom,
  type Choice,
  choiceAtom,
  lifetimesAtom,
  openKindsAtom,
  reloadLifetimesAtom,
} from './atoms.ts'
import { amountOf, lifetimesToCsv, longestOf } from './lifetime-stats.ts'
import { GroupDetails } from './GroupDetails.tsx'
import styles from './Lifetimes.module.css'
import { NO_TYPE, nameOfKind, useDescribe } from './links.ts'
import { Marks } from './Marks.tsx'

export default function Lifetimes() {
  const lifetimes = useAtomValue(lifetimesAtom)
  const reload = useSetAtom(reloadLifetimesAtom)
  const [axis, setAxis] = useState<RideAxis>('distance')
  const formats = useFormats()
  const bikeName = useAtomValue(bikeNameAtom)
  const { type } = useAtomValue(choiceAtom)
  const all = lifetimes.state === 'ready' ? lifetimes.data.groups : []
  const groups = all.filter((group) => type === '' || (group.type ?? NO_TYPE) === type)
  return (
    <Section
      heading="Lifetimes"
      aside={
        <div className="row">
          <SegmentedControl
            legend="Lifetimes in"
            options={RIDE_AXES.map((value) => ({ value, label: upperFirst(AXES[value].label(formats)) }))}
            value={axis}
            onChange={setAxis}
          />
          <Filters />
          <SaveCsv
            fileName="lifetimes.csv"
            isEmpty={groups.length === 0}
            toCsv={() => lifetimesToCsv(groups, formats, bikeName)}
          />
        </div>
      }
    >
      <ResourceView
        resource={lifetimes}
        failed="The lifetimes could not be calculated."
        retry={reload}
        loading={<Skeleton width="100%" height="60dvh" />}
      >
        {(data) => <Families data={data} groups={groups} axis={axis} />}
      </ResourceView>
    </Section>
  )
}

type FamiliesProps = { data: Data; groups: readonly Group[]; axis: RideAxis }

/** Hides closed kinds without a worn-out part until asked, because there is nothing to compare yet. */
function Families({ data, groups, axis }: FamiliesProps) {
  const open = useAtomValue(openKindsAtom)
  const [isComplete, setComplete] = useState(false)
  const withoutReason = groups.reduce((sum, { ended_without_reason }) => sum + ended_without_reason, 0)
  const families = data.families.flatMap((family) => {
    const own = family.groups.flatMap((key) => groups.find((group) => group.key === key) ?? [])
    return own.length === 0 ? [] : { family, own }
  })
  const answered = families.filter(
    ({ family }) => family.longest[axis] !== null || open.includes(nameOfKind(family)),
  )
  const shown = isComplete || answered.length === 0 ? families : answered
  if (families.length === 0)
    return <p className="note">No parts in the log yet, or none match the filters.</p>
  return (
    <>
      <div className={styles.kinds}>
        {shown.map(({ family, own }) => (
          <Kind
            key={nameOfKind(family)}
            family={family}
            title={titleOf(family, data.families)}
            groups={own}
            data={data}
            axis={axis}
          />
        ))}
      </div>
      {shown.length < families.length && (
        <button type="button" className={styles.more} onClick={() => setComplete(true)}>
          {`Show all ${families.length} kinds`}
        </button>
      )}
      {withoutReason > 0 && (
        <p className="note">
          {withoutReason === 1
            ? '1 part has no end reason; it counts as worn out.'
            : `${formatCount(withoutReason)} parts have no end reason; they count as worn out.`}
        </p>
      )}
    </>
  )
}

function Filters() {
  const choice = useAtomValue(choiceAtom)
  const count = Object.values(choice).filter((value) => value !== '').length
  return (
    <PopoverButton label={count === 0 ? 'Filters' : `Filters (${count})`} isQuiet>
      {() => <FilterFields />}
    </PopoverButton>
  )
}

/** Lists options from all lifetimes, so choosing a filter doesn't remove the other options. */
function FilterFields() {
  const [choice, setChoice] = useAtom(choiceAtom)
  const all = useAtomValue(allLifetimesAtom)
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
    <div className="stack">
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
    </div>
  )
}

function optionsOf(values: readonly string[], labelOf = (value: string) => value) {
  return [...new Set(values)]
    .map((value) => ({ value, label: labelOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

const SHOWN_AT_FIRST = 5

type KindProps = { family: Family; title: string; groups: readonly Group[]; data: Data; axis: RideAxis }

/** Shows a kind of part as one line, which opens to its chart. Paper shows all charts. */
function Kind({ family, title, groups, data, axis }: KindProps) {
  const formats = useFormats()
  const [openKinds, toggleKind] = useAtom(openKindsAtom)
  const section = useRef<HTMLElement>(null)
  const name = nameOfKind(family)
  const longest = longestIn(family, data.groups, axis, formats)
  const isOpen = openKinds.includes(name)
  const isLinked = useRef(openKinds[0] === name)
  useEffect(() => {
    if (isLinked.current) section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={section} className={styles.kind} aria-label={title}>
      <h4>
        <button
          type="button"
          className={`${styles.line} on-paper`}
          aria-expanded={isOpen}
          onClick={() => toggleKind(name)}
        >
          <Arrow />
          <span className={styles.title}>{title}</span>
          {/* The sentence above the chart says the same. */}
          <span className={isOpen ? 'visually-hidden' : styles.answer}>
            <span className="visually-hidden"> · </span>
            {longest === null ? 'none worn out yet' : `longest ${longest}`}
          </span>
          {longest !== null && groups.length > 1 && (
            <span className={styles.compared}>
              <span className="visually-hidden"> · </span>
              {`${groups.length} compared`}
            </span>
          )}
          {family.type !== title && (
            <span className={styles.type} data-type={family.type ?? ''}>
              {family.type}
            </span>
          )}
        </button>
      </h4>
      <div className={styles.chart} hidden={!isOpen}>
        <Chart family={family} groups={groups} data={data} axis={axis} />
      </div>
    </section>
  )
}

type ChartProps = Omit<KindProps, 'title'>

/** Each kind of part has its own axis, because frames last so long that chains would be unreadable on the same axis. */
function Chart({ family, groups, data, axis }: ChartProps) {
  const formats = useFormats()
  const describe = useDescribe()
  const [pointed, setPointed] = useState<Lifetime | null>(null)
  const [open, setOpen] = useState<string | null>(null)
  const [isComplete, setComplete] = useState(false)
  const shown = isComplete ? groups : groups.slice(0, SHOWN_AT_FIRST)
  const top = roundUp(amountOf(Math.max(0, ...groups.map((group) => longestOf(group, axis))), axis, formats))
  return (
    <>
      <p className={styles.answers}>
        {pointed ? describe(pointed, axis) : answerOf(family, data.groups, axis, formats)}
      </p>
      <ul className="list">
        {shown.map((group) => (
          <li key={group.key}>
            <GroupRow
              group={group}
              axis={axis}
              top={top}
              isOpen={group.key === open}
              onPoint={setPointed}
              onToggle={() => setOpen(group.key === open ? null : group.key)}
            />
            {group.key === open && (
              <div className={styles.opened}>
                <GroupDetails group={group} groups={data.groups} comparisons={data.comparisons} axis={axis} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <div className={styles.row} aria-hidden>
        <span className={styles.ticks}>
          {[0, 0.5, 1].map((part) => (
            <span key={part}>{formatCount(top * part)}</span>
          ))}
        </span>
        <span className={styles.legend}>
          <span>● worn out</span>
          <span>○ ended early</span>
          <span>→ still in use</span>
        </span>
      </div>
      {shown.length < groups.length && (
        <button type="button" className="link show-all" onClick={() => setComplete(true)}>
          {`Show all ${groups.length}`}
        </button>
      )}
    </>
  )
}

type RowProps = {
  group: Group
  axis: RideAxis
  top: number
  isOpen: boolean
  onPoint: (lifetime: Lifetime | null) => void
  onToggle: () => void
}

function GroupRow({ group, axis, top, isOpen, onPoint, onToggle }: RowProps) {
  const formats = useFormats()
  return (
    <div className={styles.row}>
      <button type="button" className={`${styles.name} on-paper`} aria-expanded={isOpen} onClick={onToggle}>
        <Arrow />
        <span>{group.name}</span>
      </button>
      <Marks group={group} axis={axis} top={top} onPoint={onPoint} />
      <span className={styles.typical}>{lengthOf(group, axis, formats)}</span>
      <span className={styles.foot}>
        <span className={styles.count}>{countsOf(group, axis, formats)}</span>
        <span className={styles.rate}>{formatRate(group, axis, formats)}</span>
      </span>
    </div>
  )
}

const Arrow = () => (
  <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden>
    <path d="M1.5 0 7 4 1.5 8z" fill="currentColor" />
  </svg>
)
