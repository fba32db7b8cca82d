import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'

import { Choices, toggle } from '../../../components/Choices.tsx'
import { DateField } from '../../../components/fields.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { useFirstNonNull } from '../../../components/use-first-non-null.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf, timestampOf } from '../../../lib/days.ts'
import { pastDayKind, problemOf } from '../../../lib/field-kinds.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { isSettled } from '../../../lib/resource.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import { allItemsAtom } from '../data/log.ts'
import type { Item } from '../data/fields.ts'
import { useSave } from '../../trash/use-save.ts'
import { changeDayAtom } from './atoms.ts'
import { type End, otherEnds, timeOf } from './parts-moved-together.ts'

/** Changes the day an item started or ended, along with the other items of the same replacement or move. */
export function ChangeDayDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const formats = useHeldFormats()
  const [side, setSide] = useState<End['side']>(item.dateEnded === null ? 'start' : 'end')
  const options = [
    { value: 'start', label: `Start ${formats.day(dayOf(item.dateStarted))}` },
    { value: 'end', label: `End ${item.dateEnded === null ? '' : formats.day(dayOf(item.dateEnded))}` },
  ] as const

  return (
    <DaySide key={side} end={{ item, side }} onClose={onClose}>
      {item.dateEnded !== null && (
        <SegmentedControl legend="Which day" options={options} value={side} onChange={setSide} />
      )}
    </DaySide>
  )
}

type Props = { end: End; onClose: () => void; children: ReactNode }

function DaySide({ end, onClose, children }: Props) {
  const items = useAtomValue(allItemsAtom)
  const known = isSettled(items) ? otherEnds(end, items.state === 'ready' ? items.data : []) : null
  const others = useFirstNonNull(known)
  if (others === null) {
    return (
      <Dialog title="Change install date" lead={end.item.name} closeLabel="Cancel" onClose={onClose}>
        <p role="status">Loading…</p>
      </Dialog>
    )
  }
  return (
    <DayForm end={end} others={others} onClose={onClose}>
      {children}
    </DayForm>
  )
}

function DayForm({ end, others, onClose, children }: Props & { others: ReturnType<typeof otherEnds> }) {
  const { item } = end
  const formats = useHeldFormats()
  const from = timeOf(end) ?? ''
  const today = useAtomValue(todayAtom)
  const change = useSetAtom(changeDayAtom)
  const [text, setText] = useState(formats.day(dayOf(from)))
  const day = pastDayKind(today).parse(text, formats)
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    others.filter(({ belongs }) => belongs).map(keyOf),
  )

  const save = useSave()

  const submit = async () => {
    if ('message' in day) return ''
    const ends = [end, ...others.filter((other) => chosen.includes(keyOf(other)))]
    const idsOf = (side: End['side']) => ends.flatMap((one) => (one.side === side ? [one.item.id] : []))
    const subject = `The install date of ${quote(item.name)}`
    const wanted = { from, to: timestampOf(day.value), ended: idsOf('end'), started: idsOf('start') }
    return save((key) => change(wanted, subject, key), { subject, done: 'changed' })
  }
  return (
    <FormDialog
      title="Change install date"
      lead={item.name}
      label="Save day"
      isBlocked={'message' in day || day.value === dayOf(from)}
      onSave={submit}
      onClose={onClose}
    >
      {children}
      <DateField label="Day" value={text} problem={problemOf(day)} onChange={setText} />
      <Choices
        legend="Also changes"
        options={others.map((other) => ({
          value: keyOf(other),
          label: other.item.name,
          note: <EndName end={other} />,
        }))}
        chosen={chosen}
        onToggle={(end) => setChosen((ends) => toggle(ends, end))}
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
