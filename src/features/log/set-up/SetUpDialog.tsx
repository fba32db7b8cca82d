import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { byAxis } from '../../../../supabase/functions/_shared/axes.ts'
import { toggle } from '../../../components/Choices.tsx'
import { DateField, TextField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { isInUse } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { usageAtom } from '../../entries/usage.ts'
import { useJournal } from '../../journal/use-journal.ts'
import { formatLimits } from '../../service/task-messages.ts'
import { setUpBikeAtom } from './atoms.ts'
import { type Line, lineOf, linesKind, type Problems, readLine } from './form.ts'
import styles from './SetUpDialog.module.css'
import { type PartOnBike, USUAL_PARTS, type UsualPart } from './usual-parts.ts'

type Props = { bike: NamedBike; onClose: () => void }

export default function SetUpDialog({ bike, onClose }: Props) {
  const { gear_id, name } = bike
  const today = useAtomValue(todayAtom)
  const reads = [logAtom(gear_id), usageAtom(gear_id)] as const
  return (
    <ResourceDialog title="Set up this bike" lead={name} reads={reads} onClose={onClose}>
      {(log, { firstRide }) => {
        const parts = log
          .filter((item) => isInUse(item, today))
          .map(({ type, kind = null, position }) => ({ type, kind, position }))
        return <SetUpForm bike={bike} firstRide={firstRide} parts={parts} onClose={onClose} />
      }}
    </ResourceDialog>
  )
}

type FormProps = Props & {
  /** Null if the bike has no rides. */
  firstRide: Day | null
  parts: readonly PartOnBike[]
}

function SetUpForm({ bike, firstRide, parts, onClose }: FormProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const setUp = useSetAtom(setUpBikeAtom)
  const [start] = useState(firstRide ?? today)
  const [initial] = useState(() => USUAL_PARTS.map((usual) => lineOf(usual, start, parts, formats)))
  const form = useForm({
    fields: { lines: linesKind(start) },
    inputs: { lines: initial },
    save: ({ lines }, { key }) => setUp(bike, lines, key),
    outcome: () => ({ subject: quote(bike.name), done: 'set up' }),
    journal: useJournal('maintenance'),
  })
  const { lines } = form.inputs
  return (
    <FormDialog
      title="Set up this bike"
      lead={`${bike.name}, ${firstRide === null ? 'no rides yet' : `first ride ${formats.day(firstRide)}`}`}
      label="Save"
      isBlocked={!lines.some(({ isTicked }) => isTicked)}
      form={form}
      onClose={onClose}
    >
      {USUAL_PARTS.map((usual, index) => (
        <PartLine
          key={usual.name}
          usual={usual}
          line={lines[index]!}
          problems={form.isTried ? readLine(usual, lines[index]!, start, formats).problems : {}}
          onChange={(line) => form.set('lines', lines.with(index, line))}
        />
      ))}
    </FormDialog>
  )
}

type LineProps = {
  usual: UsualPart
  line: Line
  problems: Problems
  onChange: (line: Line) => void
}

function PartLine({ usual, line, problems, onChange }: LineProps) {
  const formats = useHeldFormats()
  const text = (field: keyof Problems) => ({
    value: line[field],
    problem: problems[field],
    onChange: (value: string) => onChange({ ...line, [field]: value }),
  })
  return (
    <div role="group" aria-label={usual.name} data-wide className={styles.line}>
      <label className={styles.part}>
        <input
          type="checkbox"
          checked={line.isTicked}
          onChange={() => onChange({ ...line, isTicked: !line.isTicked })}
        />
        <span>{usual.name}</span>
      </label>
      {line.isTicked && (
        <>
          <div className={styles.fields}>
            <TextField label="Name" {...text('name')} />
            <DateField label="Start" {...text('start')} />
            <TextField
              label="Cost"
              inputMode="decimal"
              placeholder={formats.wholeMoney(0)}
              {...text('cost')}
            />
            <TextField
              label={`Earlier ${formats.name.toLowerCase()}`}
              inputMode="decimal"
              placeholder="0"
              {...text('earlier')}
            />
          </div>
          <div className={styles.tasks}>
            {usual.tasks.map((task) => (
              <label key={task.name} className={styles.choice}>
                <input
                  type="checkbox"
                  checked={line.tasks.includes(task.name)}
                  onChange={() => onChange({ ...line, tasks: toggle(line.tasks, task.name) })}
                />
                {task.name}{' '}
                <span className="soft">
                  {formatLimits(
                    { every: byAxis((axis) => task[`every_${axis}`] ?? null), outdoor_only: false },
                    formats,
                  )}
                </span>
              </label>
            ))}
          </div>
        </>
      )}
    </div>
  )
}
