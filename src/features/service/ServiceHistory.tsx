import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Failure } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { Waits } from '../../components/Waits.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { useFormats } from '../../lib/formats.ts'
import { InclEarlier } from '../entries/InclEarlier.tsx'
import type { Owner, Task } from './api.ts'
import { historyAtom } from './atoms.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './TaskList.module.css'
import { eventMessage, medianMessages } from './task-messages.ts'

type HistoryProps = { owner: Owner; tasks: readonly Task[] }

export function ServiceHistory(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Service history</summary>
      {isOpen && <Events {...props} />}
    </details>
  )
}

function Events({ owner, tasks }: HistoryProps) {
  const history = useAtomValue(historyAtom(owner))
  const reload = useSetAtom(historyAtom(owner).reloadAtom)
  const open = useSetAtom(serviceDialogAtom)
  const formats = useFormats()
  const readOnly = useReadOnly('correct_event')
  const today = useAtomValue(todayAtom)
  const othersOf = (taskId: number) =>
    tasks
      .filter(({ id, kind }) => id !== taskId && kind !== 'replace')
      .map((task) => ({ task, why: 'part' as const }))
  if (history.state === 'loading') return <Skeleton width="100%" height="2rem" />
  if (history.state === 'failed') {
    return <Failure what="The service history could not be loaded." error={history.error} retry={reload} />
  }
  if (history.data.length === 0) return <p className="soft">No service yet.</p>
  return (
    <>
      {medianMessages(history.data, formats).map((message) => (
        <p key={message} className="soft">
          {message}
        </p>
      ))}
      <ul className={styles.history} aria-label="Service history">
        {history.data.map((event) => (
          <li key={event.id}>
            <span className="truncated">
              {event.name}
              <Waits relation="service_events" id={event.id} />
            </span>
            <span>{formats.day(dayOf(event.done_at))}</span>
            <span className="number">
              {formats.distance.format(event.distance)}
              <InclEarlier part={{ ...event, earlier_moving_time: null }} />
            </span>
            <span className={`truncated ${styles.note}`}>{eventMessage(event, today, formats)}</span>
            <button
              type="button"
              className="quiet"
              aria-label={`Edit ${event.name} of ${formats.day(dayOf(event.done_at))}`}
              {...readOnly}
              onClick={() =>
                open({
                  kind: 'event',
                  event,
                  others: othersOf(event.task_id),
                  together: event.together,
                })
              }
            >
              Edit
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
