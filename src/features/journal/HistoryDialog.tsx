import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useRef, useState } from 'react'

import { madeAt } from '../../../supabase/functions/_shared/formats/keys.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { useLostFocus } from '../../components/lost-focus.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { dayAtAtom, todayAtom } from '../../lib/clock.ts'
import { addDays, type Day } from '../../lib/days.ts'
import { AppError } from '../../lib/errors.ts'
import { formatCount, type Formats, formatTime, useFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { Conflict, Group } from './api.ts'
import { hasMoreAtom, listedAtom, restoreAtom, restoreFailure, showMoreAtom, trashAtom } from './atoms.ts'
import styles from './HistoryDialog.module.css'
import {
  conflictText,
  editsOf,
  namesOf,
  partOf,
  titleOf,
} from '../../../supabase/functions/_shared/messages/change-messages.ts'

/** Lists what was done in the last 30 days, newest first, each with Undo. The trash is its filter. */
export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  const [done, setDone] = useState('')
  const [listed, setListed] = useAtom(listedAtom)
  return (
    <Dialog
      title={listed === 'all' ? 'History' : 'Trash'}
      lead="The last 30 days"
      onClose={onClose}
      tools={
        <p role="status" className="soft to-start">
          {done}
        </p>
      }
    >
      <div className="stack">
        <SegmentedControl
          legend="Show"
          options={[
            { value: 'all', label: 'All changes' },
            { value: 'deletions', label: 'Deleted' },
          ]}
          value={listed}
          onChange={setListed}
        />
        <Changes onDone={setDone} />
      </div>
    </Dialog>
  )
}

type OnDone = (message: string) => void

function Changes({ onDone }: { onDone: OnDone }) {
  const trash = useAtomValue(trashAtom)
  const reload = useSetAtom(trashAtom.reloadAtom)
  const hasMore = useAtomValue(hasMoreAtom)
  const showMore = useSetAtom(showMoreAtom)
  const today = useAtomValue(todayAtom)
  const dayAt = useAtomValue(dayAtAtom)
  const listed = useAtomValue(listedAtom)
  const formats = useFormats()

  if (trash.state === 'loading') {
    return (
      <div className="stack">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} width="100%" height="3rem" />
        ))}
      </div>
    )
  }
  if (trash.state === 'failed')
    return <Failure what="The history could not be loaded." error={trash.error} retry={reload} />
  if (trash.data.length === 0) {
    return (
      <p className="soft">{`Nothing ${listed === 'all' ? 'changed' : 'was deleted'} in the last 30 days.`}</p>
    )
  }
  const byDay = Map.groupBy(trash.data, (group) => dayAt(timeOf(group)))
  return (
    <div aria-busy={trash.updating}>
      {Array.from(byDay, ([day, groups]) => (
        <section key={day} className={styles.day}>
          <h3>{dayName(day, today, formats)}</h3>
          <ul className="card list">
            {groups.map((group) => (
              <Row key={group.id} group={group} onDone={onDone} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <button type="button" className={styles.more} aria-disabled={trash.updating} onClick={showMore}>
          Show more
        </button>
      )}
    </div>
  )
}

/** When the rider made a change, which may have waited for the network. */
const timeOf = ({ id, changed_at }: Group) => madeAt(id, new Date(changed_at))

function dayName(day: Day, today: Day, formats: Formats): string {
  if (day === today) return 'Today'
  return day === addDays(today, -1) ? 'Yesterday' : formats.day(day)
}

function Row({ group, onDone }: { group: Group; onDone: OnDone }) {
  const bikeName = useAtomValue(bikeNameAtom)
  const row = useRef<HTMLLIElement>(null)
  const titleId = useId()
  const readOnly = useReadOnly()
  const { problem, restore, isBusy } = useRestore(group, () =>
    onDone(group.command === 'undo' ? 'The restore was undone.' : 'The change was undone.'),
  )
  // The focused button disappears once a change is restored.
  useLostFocus(`${group.is_done} ${isBusy}`, () => row.current)

  const isTrash = useAtomValue(listedAtom) === 'deletions'
  const formats = useFormats()
  const [edits, names] = [editsOf(group, formats), namesOf(group, formats)]
  return (
    <li ref={row} className="list-row" tabIndex={-1} data-done={group.is_done}>
      <p id={titleId} className={styles.title}>
        {titleOf(group, formats, bikeName)}
        {edits !== null && <span>{`: ${edits}`}</span>}
      </p>
      <p className="note">
        {[formatTime(timeOf(group)), partOf(group) ?? [], ...group.bikes.map(bikeName)].flat().join(' · ')}
      </p>
      {names !== null && <p className="note">{names}</p>}
      <div className="row-end">
        {group.is_done ? (
          <span className="note">{isTrash ? 'Restored' : 'Undone'}</span>
        ) : (
          <button
            type="button"
            {...readOnly}
            aria-describedby={readOnly['aria-describedby'] ?? titleId}
            aria-disabled={isBusy}
            onClick={() => restore(false)}
          >
            {isTrash ? 'Restore' : 'Undo'}
          </button>
        )}
      </div>
      <Problem problem={problem} group={group} isBusy={isBusy} onRestoreOthers={() => restore(true)} />
    </li>
  )
}

type Problem = readonly Conflict[] | AppError

/** Ignores a second press while a restore is running. */
function useRestore(group: Group, onRestored: () => void) {
  const [problem, setProblem] = useState<Problem>([])
  const [isBusy, setBusy] = useState(false)
  const write = useSetAtom(restoreAtom)
  const restore = (keepChanged: boolean) => {
    if (isBusy) return
    setBusy(true)
    setProblem([])
    void write(group, keepChanged).then((outcome) => {
      setBusy(false)
      setProblem(outcome)
      if (Array.isArray(outcome) && outcome.length === 0) onRestored()
    })
  }
  return { problem, isBusy, restore }
}

/** The maximum number of conflicts to list. The rest are only counted. */
const MAX_CONFLICTS = 5

type ProblemProps = { problem: Problem; group: Group; isBusy: boolean; onRestoreOthers: () => void }

/** Explains why nothing was restored or undone. Offers to undo an import's unedited entries. */
function Problem({ problem, group, isBusy, onRestoreOthers }: ProblemProps) {
  const formats = useFormats()
  const isTrash = useAtomValue(listedAtom) === 'deletions'
  const conflicts = problem instanceof AppError ? [] : problem
  const lines =
    problem instanceof AppError
      ? [restoreFailure(problem)]
      : conflicts.map((conflict) => conflictText(conflict, formats))
  const others = group.added + group.edited + group.deleted - conflicts.length
  return (
    <div role="alert" className={styles.problem}>
      {lines.length > 0 && (
        <>
          <p>{`Nothing was ${isTrash ? 'restored' : 'undone'}.`}</p>
          {lines.slice(0, MAX_CONFLICTS).map((line) => (
            <p key={line}>{line}</p>
          ))}
          {lines.length > MAX_CONFLICTS && <p>{`And ${formatCount(lines.length - MAX_CONFLICTS)} more.`}</p>}
        </>
      )}
      {conflicts.length > 0 && others > 0 && group.command === 'import_items' && (
        <button type="button" aria-disabled={isBusy} onClick={onRestoreOthers}>
          Undo the others
        </button>
      )}
    </div>
  )
}
