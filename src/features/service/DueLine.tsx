import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { Waits } from '../../components/Waits.tsx'
import { useFormats } from '../../lib/formats.ts'
import type { Item } from '../entries/fields.ts'
import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { openItemAtom } from '../entries/open-item.ts'
import type { Limit, Line } from './api.ts'
import { dueLimitsOnBikeAtom, nextOfItemAtom, linesOnBikeAtom } from './atoms.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './DueLine.module.css'
import { heldAtom } from './held-rows.ts'
import { DoneButton } from './DoneButton.tsx'
import { AfterDoneButtons } from './TaskButtons.tsx'
import { dueMessage, limitIdOf, noteOf, withLimits } from './limits.ts'
import { LimitButton } from './LimitLine.tsx'
import { isDue, lowerFirst, partOf, stateMessage } from './task-messages.ts'

/** Many due tasks would hide the log. */
const INITIAL_LINES = 3

export function DueLine({ gearId }: { gearId: number }) {
  const held = useAtomValue(heldAtom)
  const due = useAtomValue(linesOnBikeAtom(gearId)).filter(({ task }) =>
    isDue({ state: held.get(lineIdOf(task))?.was ?? task.state }),
  )
  const lines = withLimits(due, useAtomValue(dueLimitsOnBikeAtom(gearId)))
  const [showsAll, setShowsAll] = useState(false)
  if (lines.length === 0) return null
  const shown = showsAll ? lines : lines.slice(0, INITIAL_LINES)
  return (
    <ul className={styles.line} aria-label="Due on this bike">
      {shown.map((line) =>
        'task' in line ? (
          <li key={lineIdOf(line.task)} data-state={line.task.state}>
            <DueTask line={line} />
          </li>
        ) : (
          <li key={limitIdOf(line)} data-state={line.state}>
            <DueLimit limit={line} />
          </li>
        ),
      )}
      {lines.length > INITIAL_LINES && (
        <li>
          <button type="button" className="link" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `${lines.length - shown.length} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

function DueTask({ line }: { line: Line }) {
  const { task } = line
  const formats = useFormats()
  const openItem = useSetAtom(openItemAtom)
  const openDialog = useSetAtom(serviceDialogAtom)
  const textId = useId()
  const after = useAtomValue(heldAtom).get(lineIdOf(task))?.after
  const now = stateMessage(task, formats)
  // After Done, the text stays, so a second press doesn't hit Undo.
  const [state, setState] = useState(now)
  if (!after && state !== now) setState(now)
  const { item_id } = task
  return (
    <>
      <span id={textId} data-done={Boolean(after)}>
        <button
          type="button"
          className="link on-paper"
          onClick={() => (item_id === null ? openDialog({ kind: 'edit', task }) : openItem(item_id))}
        >
          {item_id === null ? task.name : `${partOf(line)}: ${lowerFirst(task.name)} ${state}`}
        </button>
        {item_id === null && ` ${state}`}
        {after && <span className="visually-hidden">, done</span>}
        <Waits relation="service_tasks" id={task.id} />
      </span>
      <DoneButton line={line} describedBy={textId} look="quiet" isDone={Boolean(after)} />
      {/* A phone has no room for them, but the same buttons in a toast. */}
      {after && (
        <span className="wide-only">
          <AfterDoneButtons after={after} describedBy={textId} />
        </span>
      )}
    </>
  )
}

function DueLimit({ limit }: { limit: Limit }) {
  const formats = useFormats()
  const openItem = useSetAtom(openItemAtom)
  const textId = useId()
  return (
    <>
      <span id={textId}>
        <button type="button" className="link on-paper" onClick={() => openItem(limit.item_id)}>
          {`${limit.item_name}: ${dueMessage(limit, formats)}`}
        </button>
      </span>
      <LimitButton limit={limit} look="quiet" describedBy={textId} />
    </>
  )
}

export function NextTask({ item }: { item: Item }) {
  const next = useAtomValue(nextOfItemAtom(item.id))
  const formats = useFormats()
  return next ? <span data-state={next.state}>{noteOf(next, formats)}</span> : null
}
