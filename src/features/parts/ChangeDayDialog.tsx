import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { Choices, FormDialog, toggle } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf, formatDay, timestampOf } from '../../lib/days.ts'
import { bikesAtom } from '../bikes'
import { allItemsAtom, type Item } from '../maintenance'
import { changeDayAtom } from './atoms.ts'
import { type End, otherEnds, timeOf } from './parts-moved-together.ts'

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

function DayForm({ end, onClose, children }: { end: End; onClose: () => void; children: ReactNode }) {
  const { item } = end
  const from = timeOf(end) ?? ''
  const today = useAtomValue(todayAtom)
  const items = useAtomValue(allItemsAtom)
  const change = useSetAtom(changeDayAtom)
  const others = items.state === 'ready' ? otherEnds(end, items.data) : []
  const [day, setDay] = useState(dayOf(from))
  const [toggled, setToggled] = useState<readonly string[]>([])

  const chosen = others.filter((other) => other.belongs !== toggled.includes(keyOf(other)))
  const submit = async () => {
    const ends = [end, ...chosen]
    const idsOf = (side: End['side']) => ends.flatMap((one) => (one.side === side ? [one.item.id] : []))
    return change(
      { from, to: timestampOf(day), ended: idsOf('end'), started: idsOf('start') },
      { name: item.name, done: 'changed', bikes: ends.map((one) => one.item.bikeId) },
    )
  }
  const isFuture = day > today
  return (
    <FormDialog
      title="Change day"
      lead={item.name}
      label="Save day"
      isBlocked={isFuture || day === dayOf(from) || items.state === 'loading'}
      onSave={submit}
      onClose={onClose}
    >
      {children}
      <DayField
        label="Day"
        value={day}
        onChange={setDay}
        picked={day}
        calendarAt={day}
        problem={isFuture ? 'Enter today or an earlier date.' : null}
      />
      <Choices
        legend="Also changes"
        options={others.map((other) => ({
          value: keyOf(other),
          label: other.item.name,
          note: <EndName end={other} />,
        }))}
        chosen={chosen.map(keyOf)}
        onToggle={(key) => setToggled((keys) => toggle(keys, key))}
      />
    </FormDialog>
  )
}

const keyOf = ({ item, side }: End) => `${item.id}/${side}`

function EndName({ end }: { end: End }) {
  const bikes = useAtomValue(bikesAtom)
  const bike = bikes.state === 'ready' && bikes.data.find(({ gear_id }) => gear_id === end.item.bikeId)
  return <span>{`${end.side === 'start' ? 'Start' : 'End'}${bike ? ` on ${bike.name}` : ''}`}</span>
}
