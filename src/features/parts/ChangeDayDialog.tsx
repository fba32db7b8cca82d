import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf, formatDay, timestampOf } from '../../lib/days.ts'
import { bikesAtom } from '../bikes'
import { allItemsAtom, type Item } from '../maintenance'
import { changeDayAtom } from './atoms.ts'
import styles from './Dialogs.module.css'
import { type End, otherEnds, timeOf } from './together.ts'

/** Changes the day that an item started or ended, and both ends of the replacement or move that it was part of. */
export function ChangeDayDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const [side, setSide] = useState<End['side']>(item.dateEnded === null ? 'start' : 'end')
  const options = [
    { value: 'start', label: `Start ${formatDay(dayOf(item.dateStarted))}` },
    { value: 'end', label: `End ${item.dateEnded === null ? '' : formatDay(dayOf(item.dateEnded))}` },
  ] as const

  return (
    <DayForm key={side} end={{ item, side }} onClose={onClose}>
      {item.dateEnded !== null && (
        <SegmentedControl legend="Which day" options={options} value={side} onChange={setSide} />
      )}
    </DayForm>
  )
}

function DayForm({ end, onClose, children }: { end: End; onClose: () => void; children: React.ReactNode }) {
  const { item } = end
  const from = timeOf(end) ?? ''
  const today = useAtomValue(todayAtom)
  const items = useAtomValue(allItemsAtom)
  const change = useSetAtom(changeDayAtom)
  const others = items.state === 'ready' ? otherEnds(end, items.data) : []
  const [day, setDay] = useState(dayOf(from))
  const [toggled, setToggled] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const chosen = others.filter((other) => other.belongs !== toggled.includes(keyOf(other)))
  const submit = async () => {
    const ends = [end, ...chosen]
    const idsOf = (side: End['side']) => ends.flatMap((one) => (one.side === side ? [one.item.id] : []))
    setBusy(true)
    const result = await change(
      { from, to: timestampOf(day), ended: idsOf('end'), started: idsOf('start') },
      { name: item.name, done: 'changed', bikes: ends.map((one) => one.item.bikeId) },
    )
    setBusy(false)
    if (result === null) onClose()
    else setProblem(result)
  }
  const isFuture = day > today
  const isBlocked = isBusy || isFuture || day === dayOf(from) || items.state === 'loading'

  return (
    <Dialog
      title="Change day"
      lead={item.name}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="primary"
            aria-disabled={isBlocked}
            onClick={() => {
              if (!isBlocked) void submit()
            }}
          >
            Save day
          </button>
        </>
      }
    >
      <div className={styles.fields}>
        {children}
        <DayField
          label="Day"
          value={day}
          onChange={setDay}
          picked={day}
          calendarAt={day}
          problem={isFuture ? 'Enter today or an earlier date.' : null}
        />
      </div>
      {others.length > 0 && (
        <fieldset className={styles.choices}>
          <legend>Also changes</legend>
          {others.map((other) => (
            <label key={keyOf(other)} className={styles.choice}>
              <input
                type="checkbox"
                checked={chosen.includes(other)}
                onChange={() =>
                  setToggled((all) =>
                    all.includes(keyOf(other))
                      ? all.filter((one) => one !== keyOf(other))
                      : [...all, keyOf(other)],
                  )
                }
              />
              <span>{other.item.name}</span>
              <EndName end={other} />
            </label>
          ))}
        </fieldset>
      )}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </Dialog>
  )
}

const keyOf = ({ item, side }: End) => `${item.id}/${side}`

function EndName({ end }: { end: End }) {
  const bikes = useAtomValue(bikesAtom)
  const bike = bikes.state === 'ready' && bikes.data.find(({ gear_id }) => gear_id === end.item.bikeId)
  return <span>{`${end.side === 'start' ? 'Start' : 'End'}${bike ? ` on ${bike.name}` : ''}`}</span>
}
