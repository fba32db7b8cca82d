import { useAtomValue, useSetAtom } from 'jotai'

import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { BelowFold } from '../../components/BelowFold.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { Section } from '../../components/Section.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { formatCount, type Formats, useFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { detailsHref, logHref } from '../entries/links.ts'
import { limitName } from '../../../supabase/functions/_shared/messages/wear-limits.ts'
import type { Limit, Line } from './api.ts'
import { dueAtom, limitsAtom, shownLinesAtom } from './atoms.ts'
import { heldAtom } from './held-rows.ts'
import { limitIdOf, limitMessage, withLimits } from './limits.ts'
import { DueLimit } from './LimitLine.tsx'
import styles from './TaskList.module.css'
import { TaskButtons } from './TaskButtons.tsx'
import { nameId, TaskState } from './TaskState.tsx'
import { bikesOf, formatPlace, isAhead, isDue, partOf, stateMessage } from './task-messages.ts'
import { Upcoming } from './Upcoming.tsx'
import { compareDays, upcomingDay, whenText } from './upcoming.ts'

/** Lists what is due, and what comes next. */
export function Due() {
  const tasks = useAtomValue(dueAtom)
  const reload = useSetAtom(dueAtom.reloadAtom)
  const lines = useAtomValue(shownLinesAtom).filter(({ task }) => task.state !== 'paused')
  const limits = useAtomValue(limitsAtom)
  const held = useAtomValue(heldAtom)
  if (tasks.state === 'loading') return null
  if (tasks.state === 'failed') {
    return (
      <Section heading="Due">
        <Failure what="Due tasks could not be loaded." error={tasks.error} retry={reload} />
      </Section>
    )
  }
  // A line that was just done or snoozed stays where it was.
  const wasDue = ({ task }: Line) => isDue({ state: held.get(lineIdOf(task))?.was ?? task.state })
  const due = lines.filter(wasDue)
  const ahead = lines.filter((line) => !wasDue(line))
  const [dueLimits, limitsAhead] = [limits.filter(isDue), limits.filter(isAhead)]
  const rows = withLimits(due, dueLimits)
  const count = due.filter(({ task }) => isDue(task)).length + dueLimits.length
  return (
    <div className={styles.columns} aria-busy={tasks.updating}>
      <Section heading="Due" aside={count > 0 && <span className="note">{`${formatCount(count)} due`}</span>}>
        <div className="card">
          {rows.length > 0 ? (
            <ul className={`list ${styles.due}`}>
              {rows.map((row) =>
                'task' in row ? (
                  <DueTask key={lineIdOf(row.task)} line={row} />
                ) : (
                  <DueLimit key={limitIdOf(row)} limit={row} />
                ),
              )}
            </ul>
          ) : (
            <NothingDue ahead={[...ahead, ...limitsAhead]} />
          )}
        </div>
      </Section>
      <BelowFold>
        <Upcoming lines={ahead} limits={limitsAhead} />
      </BelowFold>
    </div>
  )
}

function NothingDue({ ahead }: { ahead: readonly (Line | Limit)[] }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const [next] = ahead.toSorted((a, b) => compareDays(upcomingDay(datedOf(a)), upcomingDay(datedOf(b))))
  return (
    <div className="list-row">
      <p className="row-title">
        <b>Nothing due</b>
      </p>
      <p className="note">
        {next
          ? `Next: ${[...placeOf(next, bikeName), whenText(datedOf(next), today, formats) || messageOf(next, formats)].join(', ')}`
          : 'Service tasks are added in the details of a part, or above a bike’s log.'}
      </p>
    </div>
  )
}

const datedOf = (row: Line | Limit) => ('task' in row ? row.task : row)

const placeOf = (row: Line | Limit, bikeName: (gearId: number) => string): string[] =>
  'task' in row
    ? [row.task.name, formatPlace(row, bikeName)]
    : [limitName(row), row.item_name, bikeName(row.gear_id)]

const messageOf = (row: Line | Limit, formats: Formats) =>
  'task' in row ? stateMessage(row.task, formats) : limitMessage(row, formats)

function DueTask({ line }: { line: Line }) {
  const { task, others } = line
  const bikes = bikesOf(line, useAtomValue(bikeNameAtom))
  const part = partOf(line)
  return (
    <li className="list-row" data-task={lineIdOf(task)}>
      <p className={`row-title soft ${styles.what}`}>
        <b id={nameId(task)}>{task.name}</b>
        {part !== null && ' · '}
        {task.item_id !== null && others.length === 0 ? (
          <a href={detailsHref(task.gear_id, task.item_id)}>{part}</a>
        ) : (
          part
        )}
      </p>
      <p className={`note ${styles.where}`}>
        {task.item_id === null ? <a href={logHref(task.gear_id)}>{bikes}</a> : <span>{bikes}</span>}{' '}
        <TaskState task={task} />
      </p>
      <span className="row-end">
        <TaskButtons line={line} />
      </span>
    </li>
  )
}
