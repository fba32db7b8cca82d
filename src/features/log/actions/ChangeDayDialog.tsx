import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'

import { Choices, toggle } from '../../../components/Choices.tsx'
import { DateField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf, timestampOf } from '../../../lib/days.ts'
import { pastDayKind } from '../../../lib/field-kinds.ts'
import { choiceKind } from '../../../lib/forms.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import { allItemsAtom } from '../../entries/log.ts'
import type { Item } from '../../entries/fields.ts'
import { useJournal } from '../../journal/use-journal.ts'
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

function DaySide(props: Props) {
  const { end, onClose } = props
  return (
    <ResourceDialog title="Change install date" lead={end.item.name} reads={[allItemsAtom]} onClose={onClose}>
      {(items) => <DayForm {...props} items={items} />}
    </ResourceDialog>
  )
}

function DayForm({ end, items, onClose, children }: Props & { items: readonly Item[] }) {
  const { item } = end
  const from = timeOf(end) ?? ''
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const change = useSetAtom(changeDayAtom)
  const [others] = useState(() => otherEnds(end, items))
  const subject = `The install date of ${quote(item.name)}`
  const form = useForm({
    fields: { day: pastDayKind(today), also: choiceKind<readonly string[]>() },
    inputs: { day: formats.day(dayOf(from)), also: others.filter(({ belongs }) => belongs).map(keyOf) },
    save({ day, also }, { key }) {
      const ends = [end, ...others.filter((other) => also.includes(keyOf(other)))]
      const idsOf = (side: End['side']) => ends.flatMap((one) => (one.side === side ? [one.item.id] : []))
      const wanted = { from, to: timestampOf(day), ended: idsOf('end'), started: idsOf('start') }
      return change(wanted, subject, key)
    },
    outcome: () => ({ subject, done: 'changed' }),
    journal: useJournal('maintenance'),
  })
  const also = form.field('also')
  return (
    <FormDialog
      title="Change install date"
      lead={item.name}
      label="Save day"
      isBlocked={form.values.day === undefined || form.values.day === dayOf(from)}
      form={form}
      onClose={onClose}
    >
      {children}
      <DateField label="Day" {...form.field('day')} problem={form.problems.day} />
      <Choices
        legend="Also changes"
        options={others.map((other) => ({
          value: keyOf(other),
          label: other.item.name,
          note: <EndName end={other} />,
        }))}
        chosen={also.value}
        onToggle={(end) => also.onChange(toggle(also.value, end))}
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
