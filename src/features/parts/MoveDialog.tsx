import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { Choices, FormDialog, SelectField, toggle } from '../../components/FormDialog.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { type Day, formatDay } from '../../lib/days.ts'
import { newUuid } from '../../lib/writes.ts'
import { type Bike, bikesAtom } from '../bikes'
import { type Item, logAtom } from '../maintenance'
import type { Change, PutOn } from './api.ts'
import { changePartsAtom } from './atoms.ts'

/** A part that can go along, by the id of its latest item. `isTicked`: it moved together with the part last time. */
export type Candidate = Pick<Item, 'id' | 'bikeId' | 'type' | 'name'> & { isTicked: boolean }

export type MoveKind = 'move' | 'store' | 'install'

const LABELS = {
  move: { title: 'Move…', button: 'Move', done: 'moved' },
  store: { title: 'Store…', button: 'Store', done: 'stored' },
  install: { title: 'Install…', button: 'Install', done: 'installed' },
} as const

type Props = {
  kind: MoveKind
  /** The part, by its latest item. */
  part: Candidate
  /** The parts that can go along. */
  candidates: readonly Candidate[]
  /** The bike to choose at first. */
  firstBike?: number | undefined
  /** When the part was installed, or stored. */
  notBefore: Day
  onClose: () => void
}

/** Moves a part to another bike, stores it, or installs a stored one, with the parts that go along. */
export function MoveDialog({ kind, part, candidates, firstBike, notBefore, onClose }: Props) {
  const { title, button, done } = LABELS[kind]
  const today = useAtomValue(todayAtom)
  const bikes = useTargets(kind, part)
  const change = useSetAtom(changePartsAtom)
  const [bikeId, setBikeId] = useState<number | null>(null)
  const [day, setDay] = useState(today)
  const [toggled, setToggled] = useState<readonly number[]>([])
  const [back, setBack] = useState<readonly number[]>([])
  const keyOf = useRequestKeys()
  const target =
    kind === 'store'
      ? null
      : (bikes.find((bike) => bike.gear_id === (bikeId ?? firstBike)) ?? bikes[0] ?? null)
  const putOn = (part_of: number, gearId: number): PutOn => ({
    request_key: keyOf(`${part_of}/${gearId}`),
    bikeId: gearId,
    part_of,
  })
  const along = candidates.filter(({ id, isTicked }) => isTicked !== toggled.includes(id))
  const going = [part, ...along]

  const submit = async () => {
    const coming = kind === 'move' ? back : []
    const ended_as = kind === 'store' ? 'stored' : 'moved'
    const wanted: Change = {
      day,
      take_off:
        kind === 'install' ? [] : [...going.map(({ id }) => id), ...coming].map((id) => ({ id, ended_as })),
      put_on: target
        ? [...going.map(({ id }) => putOn(id, target.gear_id)), ...coming.map((id) => putOn(id, part.bikeId))]
        : [],
    }
    const to = target ? `${done} to ${target.name}` : done
    const result = await change(wanted, {
      name: part.name,
      done: kind === 'install' ? `installed on ${target?.name}` : to,
      bikes: [part.bikeId, ...(target ? [target.gear_id] : [])],
    })
    return typeof result === 'string' ? result : null
  }

  const dayProblem =
    day > today
      ? 'Enter today or an earlier date.'
      : day < notBefore
        ? `Enter a date on or after ${formatDay(notBefore)}.`
        : null

  return (
    <FormDialog
      title={title}
      lead={part.name}
      label={button}
      isBlocked={dayProblem !== null}
      onSave={submit}
      onClose={onClose}
    >
      {target && (
        <SelectField
          label="To bike"
          value={target.gear_id}
          options={bikes.map(({ gear_id, name }) => ({ value: gear_id, label: name }))}
          onChange={(id) => (setBikeId(id), setBack([]))}
        />
      )}
      <DayField
        label="Day"
        value={day}
        onChange={setDay}
        picked={day}
        calendarAt={day}
        problem={dayProblem}
      />
      <Choices
        legend="Goes along"
        options={candidates.map(choiceOf)}
        chosen={along.map(({ id }) => id)}
        onToggle={(id) => setToggled((ids) => toggle(ids, id))}
      />
      {kind === 'move' && target && (
        <ComingBack
          part={part}
          from={target}
          chosen={back}
          onToggle={(id) => setBack((ids) => toggle(ids, id))}
        />
      )}
    </FormDialog>
  )
}

/** The bikes that the part can go to, those in use first. */
function useTargets(kind: MoveKind, { bikeId }: Candidate): readonly Bike[] {
  const bikes = useAtomValue(bikesAtom)
  const all = bikes.state === 'ready' ? bikes.data : []
  return kind === 'install' ? all : all.filter(({ gear_id }) => gear_id !== bikeId)
}

/** The request key of each item to add. It stays the same while the dialog is open, so trying again adds nothing twice. */
function useRequestKeys() {
  const keys = useRef(new Map<string, string>())
  return (name: string) => {
    const key = keys.current.get(name) ?? newUuid()
    keys.current.set(name, key)
    return key
  }
}

type ComingBackProps = {
  part: Candidate
  from: Bike
  chosen: readonly number[]
  onToggle: (id: number) => void
}

/** The parts that come the other way, such as the other wheelset in a swap. */
function ComingBack({ part, from, chosen, onToggle }: ComingBackProps) {
  const log = useAtomValue(logAtom(from.gear_id))
  const items = log.state === 'ready' ? log.data : []
  const choices = items.filter(
    ({ dateEnded, type }) => dateEnded === null && type !== null && type === part.type,
  )
  return (
    <Choices
      legend={`Comes back from ${from.name}`}
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
