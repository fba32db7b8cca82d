import { useAtomValue, useSetAtom } from 'jotai'
import { Fragment, useState } from 'react'

import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { Section } from '../../components/Section.tsx'
import { Waits } from '../../components/Waits.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { formatCount, useFormats } from '../../lib/formats.ts'
import { isNarrowAtom } from '../../lib/screen.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { detailsHref, logHref } from '../entries/links.ts'
import type { Limit, Line } from './api.ts'
import { heldAtom } from './held-rows.ts'
import { limitIdOf } from './limits.ts'
import { UpcomingLimit } from './LimitLine.tsx'
import { serviceDialogAtom } from './open-dialog.ts'
import { TaskButtons } from './TaskButtons.tsx'
import { nameId } from './TaskState.tsx'
import { bikesOf, partOf, stateMessage } from './task-messages.ts'
import { compareDays, headingOf, isCertain, upcomingDay, whenText } from './upcoming.ts'
import styles from './Upcoming.module.css'

/** As many as fit beside the other lists, and on a phone. */
const INITIAL_LINES = { wide: 9, narrow: 5 }

/** Lists what isn't due yet, by month. Renders nothing without any. */
export function Upcoming({ lines, limits }: { lines: readonly Line[]; limits: readonly Limit[] }) {
  const today = useAtomValue(todayAtom)
  const held = useAtomValue(heldAtom)
  const initial = INITIAL_LINES[useAtomValue(isNarrowAtom) ? 'narrow' : 'wide']
  const [isComplete, setComplete] = useState(false)
  if (lines.length + limits.length === 0) return null
  // A line that was just done stays where it was.
  const dayOf = (row: Line | Limit) => {
    if (!('task' in row)) return upcomingDay(row)
    const known = held.get(lineIdOf(row.task))
    return known ? known.day : upcomingDay(row.task)
  }
  const dated = [...lines, ...limits]
    .map((row) => ({ row, day: dayOf(row) }))
    .toSorted((a, b) => compareDays(a.day, b.day))
  const shown = isComplete ? dated : dated.slice(0, initial)
  const groups = Map.groupBy(shown, ({ day }) => headingOf(day, today))
  const count = formatCount(dated.length)
  return (
    <Section
      heading="Upcoming"
      aside={
        <span className="note">
          {shown.length < dated.length ? `${formatCount(shown.length)} of ${count}` : count}
        </span>
      }
    >
      <div className={`card ${styles.upcoming}`}>
        {[...groups].map(([heading, dated]) => (
          <Fragment key={heading}>
            <h4 className="note">{heading}</h4>
            <ul className="list" aria-label={heading}>
              {dated.map(({ row }) =>
                'task' in row ? (
                  <UpcomingLine key={lineIdOf(row.task)} line={row} />
                ) : (
                  <UpcomingLimit key={limitIdOf(row)} limit={row} />
                ),
              )}
            </ul>
          </Fragment>
        ))}
        {dated.length > initial && (
          <button type="button" className="link show-all" onClick={() => setComplete(!isComplete)}>
            {isComplete ? 'Show fewer' : `Show ${formatCount(dated.length - shown.length)} more`}
          </button>
        )}
      </div>
    </Section>
  )
}

function UpcomingLine({ line }: { line: Line }) {
  const { task, others } = line
  const formats = useFormats()
  const bikes = bikesOf(line, useAtomValue(bikeNameAtom))
  const part = partOf(line)
  return (
    <li data-task={lineIdOf(task)}>
      <span className={`truncated ${styles.what}`}>
        <b id={nameId(task)}>{task.name}</b>
        {part !== null && ' · '}
        {part !== null && task.item_id !== null && others.length === 0 ? (
          <a href={detailsHref(task.gear_id, task.item_id)}>{part}</a>
        ) : (
          part
        )}
        <Waits relation="service_tasks" id={task.id} />
      </span>
      <span className={`truncated ${styles.bike}`}>
        {part === null ? <a href={logHref(task.gear_id)}>{bikes}</a> : bikes}
      </span>
      <span className={styles.amount}>{amountOf(line, stateMessage(task, formats))}</span>
      <When line={line} />
      <span className={styles.buttons}>
        <TaskButtons line={line} look="arrow" />
      </span>
    </li>
  )
}

/** Says what a date doesn't: what is left to ride, and that it is done once or snoozed. */
function amountOf({ task }: Line, state: string): string {
  if (task.state === 'snoozed') return task.snoozed_until === null ? state : 'snoozed'
  const left = isCertain(task) ? '' : state
  return [task.once && 'once', left].filter(Boolean).join(', ')
}

function When({ line: { task } }: { line: Line }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const open = useSetAtom(serviceDialogAtom)
  const text = whenText(task, today, formats)
  return (
    <span className={styles.when} data-state={task.state === 'soon' ? 'soon' : undefined}>
      {text === '' || isCertain(task) || task.forecast_note === 'resting' ? (
        text
      ) : (
        <button
          type="button"
          className="link"
          aria-describedby={nameId(task)}
          onClick={() => open({ kind: 'forecast', task })}
        >
          <span className="visually-hidden">Likely </span>
          {text}
        </button>
      )}
    </span>
  )
}
