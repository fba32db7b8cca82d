import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Choices, toggle } from '../../../components/Choices.tsx'
import { DateField, SelectField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { messageFor } from '../../../lib/errors.ts'
import { pastDayKind } from '../../../lib/field-kinds.ts'
import { choiceKind } from '../../../lib/forms.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { isSettled } from '../../../lib/resource.ts'
import type { Bike } from '../../bikes/api.ts'
import type { Item } from '../data/fields.ts'
import { logAtom } from '../data/log.ts'
import { useJournal } from '../../trash/use-journal.ts'
import type { Change } from './api.ts'
import { changePartsAtom } from './atoms.ts'

/** A part that can move, identified by its latest item's id. `isTicked` if it moved along last time. */
export type Candidate = Pick<Item, 'id' | 'bikeId' | 'type' | 'name'> & { isTicked: boolean }

export type MoveKind = 'move' | 'store' | 'install'

const LABELS = {
  move: { title: 'Move…', button: 'Move', along: 'Move with it', done: 'moved' },
  store: { title: 'Store…', button: 'Store', along: 'Store with it', done: 'stored' },
  install: { title: 'Install…', button: 'Install', along: 'Install with it', done: 'installed' },
} as const

type Props = {
  kind: MoveKind
  part: Candidate
  candidates: readonly Candidate[]
  bikes: readonly Bike[]
  /** The day the part was installed or stored. */
  notBefore: Day
  onClose: () => void
}

/** Returns the title while the dialog's data loads. */
export const moveTitle = (kind: MoveKind): string => LABELS[kind].title

const NO_BIKE = 0

export function MoveDialog({ kind, part, candidates, bikes, notBefore, onClose }: Props) {
  const { title, button, along: legend, done } = LABELS[kind]
  const today = useAtomValue(todayAtom)
  const formats = useHeldFormats()
  const change = useSetAtom(changePartsAtom)
  const targets = bikes.filter(
    // The database rejects bikes that have been deleted on Ride with GPS.
    ({ gear_id, is_listed }) => is_listed && (kind === 'install' || gear_id !== part.bikeId),
  )
  const targetOf = (id: number) =>
    kind === 'store' ? undefined : targets.find(({ gear_id }) => gear_id === id)
  const doneTo = (target: Bike | undefined) =>
    target ? `${done} ${kind === 'install' ? 'on' : 'to'} ${target.name}` : done
  const form = useForm({
    fields: {
      bike: choiceKind<number>(),
      day: pastDayKind(today, { day: notBefore, what: kind === 'install' ? 'stored' : 'installed' }),
      along: choiceKind<readonly number[]>(),
      back: choiceKind<readonly number[]>(),
    },
    inputs: {
      // Preselect a bike only if there is no other choice.
      bike: (targets.length === 1 && targets[0]?.gear_id) || NO_BIKE,
      day: formats.day(today),
      along: candidates.filter(({ isTicked }) => isTicked).map(({ id }) => id),
      back: [],
    },
    save({ bike, day, along, back }, { key }) {
      const target = targetOf(bike)
      const others = candidates.filter(({ id }) => along.includes(id))
      const going = [part, ...others].map(({ id }) => id)
      const coming = kind === 'move' ? back.toSorted((a, b) => a - b) : []
      const ended_as = kind === 'store' ? 'stored' : 'moved'
      const wanted: Change = {
        day,
        take_off: kind === 'install' ? [] : [...going, ...coming].map((id) => ({ id, ended_as })),
        put_on: target
          ? [
              ...going.map((part_of) => ({ bikeId: target.gear_id, part_of })),
              ...coming.map((part_of) => ({ bikeId: part.bikeId, part_of })),
            ]
          : [],
      }
      const names = { name: part.name, along: others.map(({ name }) => name) }
      return change(wanted, key, { ...names, done: doneTo(target) })
    },
    outcome: ({ bike }) => ({ subject: quote(part.name), done: doneTo(targetOf(bike)) }),
    journal: useJournal('maintenance'),
  })
  const target = targetOf(form.inputs.bike)
  const [along, back] = [form.field('along'), form.field('back')]

  return (
    <FormDialog
      title={title}
      lead={part.name}
      label={button}
      isBlocked={form.problems.day !== undefined || (kind !== 'store' && !target)}
      form={form}
      onClose={onClose}
    >
      {kind !== 'store' && (
        <SelectField
          label="To bike"
          value={target?.gear_id ?? NO_BIKE}
          options={[
            ...(target ? [] : [{ value: NO_BIKE, label: 'Choose a bike' }]),
            ...targets.map(({ gear_id, name }) => ({ value: gear_id, label: name })),
          ]}
          onChange={(id) => (form.set('bike', id), form.set('back', []))}
        />
      )}
      <DateField label="Day" {...form.field('day')} problem={form.problems.day} />
      <Choices
        legend={legend}
        options={candidates.map(choiceOf)}
        chosen={along.value}
        onToggle={(id) => along.onChange(toggle(along.value, id))}
      />
      {kind === 'move' && target && (
        <ComingBack
          key={target.gear_id}
          part={part}
          from={target}
          chosen={back.value}
          onToggle={(id) => back.onChange(toggle(back.value, id))}
        />
      )}
    </FormDialog>
  )
}

type ComingBackProps = {
  part: Candidate
  from: Bike
  chosen: readonly number[]
  onToggle: (id: number) => void
}

const noLogAtom = atom(null)

/** Lists parts to bring back from the target bike, such as the other wheelset in a swap. */
function ComingBack({ part, from, chosen, onToggle }: ComingBackProps) {
  const [items, setItems] = useState<readonly Item[] | null>(null)
  // The choices don't change after loading, so ignore the reload that follows the move.
  const log = useAtomValue(items === null ? logAtom(from.gear_id) : noLogAtom)
  if (log?.state === 'ready' && isSettled(log)) setItems(log.data)
  if (items === null)
    return <p role="status">{log?.state === 'failed' ? messageFor(log.error) : 'Loading…'}</p>
  const choices = items.filter(
    ({ dateEnded, type }) => dateEnded === null && type !== null && type === part.type,
  )
  return (
    <Choices
      legend={`Bring back from ${from.name}`}
      options={choices.map(choiceOf)}
      chosen={chosen}
      onToggle={onToggle}
    />
  )
}

const choiceOf = ({ id, name, type }: Pick<Item, 'id' | 'name' | 'type'>) => ({
  value: id,
  label: name,
  note: <span data-type={type ?? ''}>{type}</span>,
})
