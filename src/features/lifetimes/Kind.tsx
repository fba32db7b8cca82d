import { useAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'

import type { RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { formatCount, useFormats } from '../../lib/formats.ts'
import { roundUp } from '../../lib/scale.ts'
import {
  answerOf,
  countsOf,
  formatRate,
  lengthOf,
  longestIn,
} from '../../../supabase/functions/_shared/messages/lifetime-messages.ts'
import type { Family, Group, Lifetime, Lifetimes } from './api.ts'
import { openKindsAtom } from './atoms.ts'
import { GroupDetails } from './GroupDetails.tsx'
import { amountOf, longestOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import styles from './Lifetimes.module.css'
import { nameOfKind, useDescribe } from './links.ts'
import { Marks } from './Marks.tsx'

const SHOWN_AT_FIRST = 5

type KindProps = { family: Family; title: string; groups: readonly Group[]; data: Lifetimes; axis: RideAxis }

/** Shows a kind of part as one line, which opens to its chart. Paper shows all charts. */
export function Kind({ family, title, groups, data, axis }: KindProps) {
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
