import { useAtomValue, useSetAtom } from 'jotai'

import { Choices, toggle } from '../../../components/Choices.tsx'
import { DateField, SelectField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { pastDayKind } from '../../../lib/field-kinds.ts'
import { choiceKind } from '../../../lib/forms.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import type { Bike } from '../../bikes/api.ts'
import type { Item } from '../../entries/fields.ts'
import { useJournal } from '../../journal/use-journal.ts'
import type { Change } from './api.ts'
import { changePartsAtom } from './atoms.ts'
import { useComingOff } from './coming-off.ts'
import { replacesLabel } from './Replaces.tsx'

/** A part that can move, by its latest item. `isTicked` if it moved along last time. */
export type Candidate = Item & { isTicked: boolean }

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

/** Where what comes off goes, or why. "moved": to the bike that the part comes from. */
const GOES = [
  { value: 'stored', label: 'To storage' },
  { value: 'moved', label: '' },
  { value: 'worn', label: 'Worn' },
  { value: 'damaged', label: 'Damaged' },
  { value: 'sold', label: 'Sold' },
  { value: 'unknown', label: 'Unknown' },
] as const

type Goes = (typeof GOES)[number]['value']

const NO_BIKE = 0

export function MoveDialog({ kind, part, candidates, bikes, notBefore, onClose }: Props) {
  const { title, button, along: legend, done } = LABELS[kind]
  const today = useAtomValue(todayAtom)
  const formats = useHeldFormats()
  const change = useSetAtom(changePartsAtom)
  const targets = bikes.filter(
    // The database rejects bikes that have been deleted on Ride with GPS.
    ({ gear_id, is_listed, is_retired }) =>
      is_listed && (kind === 'install' ? !is_retired : gear_id !== part.bikeId),
  )
  // A stored part usually goes back to where it was. Otherwise, preselect a bike only if there is no other choice.
  const [likely, ...others] =
    kind === 'install' && targets.some(({ gear_id }) => gear_id === part.bikeId)
      ? [part.bikeId]
      : targets.map(({ gear_id }) => gear_id)
  const targetOf = (id: number) =>
    kind === 'store' ? undefined : targets.find(({ gear_id }) => gear_id === id)
  const doneTo = (target: Bike | undefined) =>
    target ? `${done} ${kind === 'install' ? 'on' : 'to'} ${target.name}` : done
  const form = useForm({
    fields: {
      bike: choiceKind<number>(),
      day: pastDayKind(today, { day: notBefore, what: kind === 'install' ? 'stored' : 'installed' }),
      along: choiceKind<readonly number[]>(),
      off: choiceKind<Readonly<Record<number, boolean>>>(),
      goes: choiceKind<Goes>(),
    },
    inputs: {
      bike: (others.length === 0 && likely) || NO_BIKE,
      day: formats.day(today),
      along: candidates.filter(({ isTicked }) => isTicked).map(({ id }) => id),
      off: {},
      goes: 'stored',
    },
    save({ bike, day, along, goes }, { key }) {
      const target = targetOf(bike)
      const others = candidates.filter(({ id }) => along.includes(id))
      const going = [part, ...others].map(({ id }) => id)
      const off = comingOff.parts.filter(({ isTicked }) => isTicked)
      const back = goes === 'moved' ? off : []
      const ended_as = kind === 'store' ? ('stored' as const) : ('moved' as const)
      const wanted: Change = {
        day,
        take_off: [
          ...(kind === 'install' ? [] : going.map((id) => ({ id, ended_as }))),
          ...off.map(({ id }) => ({ id, ended_as: goes === 'unknown' ? null : goes })),
        ],
        put_on: target
          ? [
              ...going.map((part_of) => ({ bikeId: target.gear_id, part_of })),
              ...back.map(({ id }) => ({ bikeId: part.bikeId, part_of: id })),
            ]
          : [],
      }
      const names = {
        name: part.name,
        along: others.map(({ name }) => name),
        replaced: off.map(({ name }) => name),
      }
      const items = [part, ...others, ...off.flatMap(({ item }) => item ?? [])]
      return change(wanted, key, { ...names, items, done: doneTo(target) })
    },
    outcome: ({ bike }) => ({ subject: quote(part.name), done: doneTo(targetOf(bike)) }),
    journal: useJournal('maintenance'),
  })
  const target = targetOf(form.inputs.bike)
  const along = form.field('along')
  const comingOff = useComingOff(part, along.value, target?.gear_id, form.values.day, form.inputs.off)

  return (
    <FormDialog
      title={title}
      lead={part.name}
      label={button}
      command="change_parts"
      isBlocked={form.problems.day !== undefined || (kind !== 'store' && (!target || comingOff.isLoading))}
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
          onChange={(id) => form.set('bike', id)}
        />
      )}
      <DateField label="Day" {...form.field('day')} problem={form.problems.day} />
      <Choices
        legend={legend}
        options={candidates.map(choiceOf)}
        chosen={along.value}
        onToggle={(id) => along.onChange(toggle(along.value, id))}
      />
      {comingOff.isLoading && <p role="status">Loading…</p>}
      <Choices
        legend={`Comes off ${target?.name}`}
        options={comingOff.parts.map(({ id, name }) => ({
          value: id,
          label: replacesLabel(name, form.values.day ?? today, today, formats),
        }))}
        chosen={comingOff.parts.filter(({ isTicked }) => isTicked).map(({ id }) => id)}
        onToggle={(id) =>
          form.set('off', {
            ...form.inputs.off,
            [id]: !comingOff.parts.find((one) => one.id === id)!.isTicked,
          })
        }
      />
      {comingOff.parts.some(({ isTicked }) => isTicked) && (
        <SelectField
          label="Where it goes"
          options={GOES.filter(({ value }) => value !== 'moved' || kind === 'move').map(
            ({ value, label }) => ({
              value,
              label:
                value === 'moved'
                  ? `To ${bikes.find(({ gear_id }) => gear_id === part.bikeId)?.name}`
                  : label,
            }),
          )}
          {...form.field('goes')}
        />
      )}
    </FormDialog>
  )
}

const choiceOf = ({ id, name, type }: Pick<Item, 'id' | 'name' | 'type'>) => ({
  value: id,
  label: name,
  note: <span data-type={type ?? ''}>{type}</span>,
})
