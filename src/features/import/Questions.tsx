import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { DateField, SelectField } from '../../components/fields.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { isFinal } from '../../lib/days.ts'
import { dayKind, problemOf } from '../../lib/field-kinds.ts'
import { quote, useFormats } from '../../lib/formats.ts'
import { choosePreviewAtom, type Importing } from './atoms.ts'
import type { Dates } from './dates.ts'
import type { Unit } from './headers.ts'
import styles from './ImportDialog.module.css'
import type { Choices, Start } from './lines.ts'
import type { Preview } from './preview.ts'

/** Asks for what the file doesn't say. */
export function Questions({
  preview: { bikes, strangers, unit, starts, dates },
  source,
  choices,
}: Importing) {
  return (
    <>
      <BikeQuestion bikes={bikes} chosen={choices.bikeId ?? null} />
      {strangers.map((name) => (
        <StrangerQuestion key={name} name={name} bikes={source.bikes} named={choices.named} />
      ))}
      {unit && <UnitQuestion chosen={choices.unit ?? unit.chosen} />}
      {starts.length > 0 && (
        <div className={styles.starts}>
          {starts.map((start) => (
            <StartQuestion key={start.bike.gear_id} start={start} given={choices.startDays} />
          ))}
        </div>
      )}
      <DatesQuestion dates={dates} />
    </>
  )
}

/** Asks for the bike of a file that names none. */
function BikeQuestion({ bikes, chosen }: { bikes: Preview['bikes']; chosen: number | null }) {
  const choose = useSetAtom(choosePreviewAtom)
  if (bikes.length === 0) return null
  return (
    <SelectField
      label="Which bike is this log for?"
      options={[{ value: 0, label: 'Choose a bike' }, ...optionsOf(bikes)]}
      value={chosen ?? 0}
      onChange={(bikeId) => void choose({ bikeId: bikeId || null })}
    />
  )
}

type StrangerProps = { name: string; bikes: Preview['bikes']; named: Choices['named'] }

/** Asks which bike has another name in the file. */
function StrangerQuestion({ name, bikes, named }: StrangerProps) {
  const choose = useSetAtom(choosePreviewAtom)
  const answer = (gearId: number) => {
    const all = new Map(named)
    all.delete(name)
    if (gearId !== 0) all.set(name, gearId)
    void choose({ named: all })
  }
  return (
    <SelectField
      label={`Which bike is ${quote(name)}?`}
      options={[{ value: 0, label: 'Not imported' }, ...optionsOf(bikes)]}
      value={named?.get(name) ?? 0}
      onChange={answer}
    />
  )
}

const optionsOf = (bikes: Preview['bikes']) =>
  bikes.map(({ gear_id, name }) => ({ value: gear_id, label: name }))

function DatesQuestion({ dates: { question, order, isOpen } }: { dates: Dates }) {
  const choose = useSetAtom(choosePreviewAtom)
  const { longDay } = useFormats()
  if (!question) return null
  const options = question.options.map(({ order, day }) => ({ value: order, label: longDay(day) }))
  const legend = `What does ${question.text} mean in this file?`
  return (
    <div className={styles.question}>
      <p aria-hidden>{legend}</p>
      <SegmentedControl
        legend={legend}
        options={options}
        value={isOpen ? null : order}
        onChange={(order) => void choose({ order })}
      />
    </div>
  )
}

const UNIT_OPTIONS = [
  { value: 'mi', label: 'Miles' },
  { value: 'km', label: 'Kilometers' },
] as const

function UnitQuestion({ chosen }: { chosen: Unit | null }) {
  const choose = useSetAtom(choosePreviewAtom)
  const legend = 'In which unit are the odometer’s readings?'
  return (
    <div className={styles.question}>
      <p aria-hidden>{legend}</p>
      <SegmentedControl
        legend={legend}
        options={UNIT_OPTIONS}
        value={chosen}
        onChange={(unit) => void choose({ unit })}
      />
    </div>
  )
}

type StartProps = { start: Start; given: ReadonlyMap<number, Start['day'] & string> | undefined }

/** Asks since when the parts of a sheet without dates are on a bike. */
function StartQuestion({ start: { bike, day }, given }: StartProps) {
  const choose = useSetAtom(choosePreviewAtom)
  const formats = useFormats()
  const [typed, setTyped] = useState(day === null ? '' : formats.day(day))
  const parsed = dayKind.parse(typed, formats)
  const type = (text: string) => {
    setTyped(text)
    const read = dayKind.parse(text, formats)
    if (isFinal(text) && 'value' in read && read.value !== given?.get(bike.gear_id))
      void choose({ startDays: new Map(given).set(bike.gear_id, read.value) })
  }
  return (
    <DateField
      label={`On ${bike.name} since`}
      value={typed}
      problem={isFinal(typed) ? problemOf(parsed) : undefined}
      onChange={type}
    />
  )
}
