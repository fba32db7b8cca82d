import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Choices, toggle } from '../../../components/Choices.tsx'
import { DateField, SelectField } from '../../../components/fields.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useFirstNonNull } from '../../../components/use-first-non-null.ts'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { messageFor } from '../../../lib/errors.ts'
import { pastDayKind, problemOf } from '../../../lib/field-kinds.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { isSettled } from '../../../lib/resource.ts'
import type { Bike } from '../../bikes/api.ts'
import type { Item } from '../data/fields.ts'
import { logAtom } from '../data/log.ts'
import { useSave } from '../../trash/use-save.ts'
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

/** A dialog's initial data. Reloading the log doesn't change an open dialog. */
export type Offer = {
  part: Candidate
  candidates: readonly Candidate[]
  bikes: readonly Bike[]
  /** The day the part was installed or stored. */
  notBefore: Day
}

type Props = {
  kind: MoveKind
  name: string
  /** Null while loading. */
  offer: Offer | null
  problem?: string | undefined
  onClose: () => void
}

export function MoveDialog({ kind, name, offer, problem, onClose }: Props) {
  const first = useFirstNonNull(offer)
  if (first) return <MoveForm kind={kind} {...first} onClose={onClose} />
  return (
    <Dialog title={LABELS[kind].title} lead={name} closeLabel="Cancel" onClose={onClose}>
      <p role="status">{problem ?? 'Loading…'}</p>
    </Dialog>
  )
}

const NO_BIKE = 0

type FormProps = Offer & Pick<Props, 'kind' | 'onClose'>

function MoveForm({ kind, part, candidates, bikes, notBefore, onClose }: FormProps) {
  const { title, button, along: legend, done } = LABELS[kind]
  const today = useAtomValue(todayAtom)
  const formats = useHeldFormats()
  const change = useSetAtom(changePartsAtom)
  const save = useSave()
  const targets = bikes.filter(
    // The database rejects bikes that have been deleted on Ride with GPS.
    ({ gear_id, is_listed }) => is_listed && (kind === 'install' || gear_id !== part.bikeId),
  )
  // Preselect a bike only if there is no other choice.
  const [bikeId, setBikeId] = useState(targets.length === 1 ? targets[0]?.gear_id : undefined)
  const [text, setText] = useState(formats.day(today))
  const since = { day: notBefore, what: kind === 'install' ? 'stored' : 'installed' }
  const day = pastDayKind(today, since).parse(text, formats)
  const [along, setAlong] = useState<readonly number[]>(() =>
    candidates.filter(({ isTicked }) => isTicked).map(({ id }) => id),
  )
  const [back, setBack] = useState<readonly number[]>([])
  const target = kind === 'store' ? undefined : targets.find(({ gear_id }) => gear_id === bikeId)

  const submit = async () => {
    if ('message' in day) return ''
    const others = candidates.filter(({ id }) => along.includes(id))
    const going = [part, ...others].map(({ id }) => id)
    const coming = kind === 'move' ? back.toSorted((a, b) => a - b) : []
    const ended_as = kind === 'store' ? 'stored' : 'moved'
    const wanted: Change = {
      day: day.value,
      take_off: kind === 'install' ? [] : [...going, ...coming].map((id) => ({ id, ended_as })),
      put_on: target
        ? [
            ...going.map((part_of) => ({ bikeId: target.gear_id, part_of })),
            ...coming.map((part_of) => ({ bikeId: part.bikeId, part_of })),
          ]
        : [],
    }
    const outcome = {
      name: part.name,
      along: others.map(({ name }) => name),
      done: target ? `${done} ${kind === 'install' ? 'on' : 'to'} ${target.name}` : done,
    }
    return save((key) => change(wanted, key, outcome), { subject: quote(part.name), done: outcome.done })
  }

  return (
    <FormDialog
      title={title}
      lead={part.name}
      label={button}
      isBlocked={'message' in day || (kind !== 'store' && !target)}
      onSave={submit}
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
          onChange={(id) => (setBikeId(id), setBack([]))}
        />
      )}
      <DateField label="Day" value={text} problem={problemOf(day)} onChange={setText} />
      <Choices
        legend={legend}
        options={candidates.map(choiceOf)}
        chosen={along}
        onToggle={(id) => setAlong((ids) => toggle(ids, id))}
      />
      {kind === 'move' && target && (
        <ComingBack
          key={target.gear_id}
          part={part}
          from={target}
          chosen={back}
          onToggle={(id) => setBack((ids) => toggle(ids, id))}
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
