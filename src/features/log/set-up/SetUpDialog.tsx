import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { toggle } from '../../../components/Choices.tsx'
import { DateField, TextField } from '../../../components/fields.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useFirstNonNull } from '../../../components/use-first-non-null.ts'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { messageFor } from '../../../lib/errors.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { isSettled } from '../../../lib/resource.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { isInUse } from '../data/fields.ts'
import { logAtom } from '../data/log.ts'
import { firstRideAtom, usageAtom } from '../data/usage.ts'
import { useSave } from '../../trash/use-save.ts'
import { formatLimits } from '../../service/task-messages.ts'
import { setUpBikeAtom } from './atoms.ts'
import { type Line, lineOf, type Problems, readLine } from './form.ts'
import styles from './SetUpDialog.module.css'
import { type PartOnBike, USUAL_PARTS, type UsualPart } from './usual-parts.ts'

type Props = { bike: NamedBike; onClose: () => void }

export default function SetUpDialog({ bike, onClose }: Props) {
  const { gear_id, name } = bike
  const firstRide = useAtomValue(firstRideAtom(gear_id))
  const log = useAtomValue(logAtom(gear_id))
  const usage = useAtomValue(usageAtom(gear_id))
  const today = useAtomValue(todayAtom)

  const read = [firstRide, log, usage]
  const isKnown = firstRide.state === 'ready' && log.state === 'ready' && usage.state === 'ready'
  const first = useFirstNonNull(
    isKnown && read.every(isSettled)
      ? {
          firstRide: firstRide.data,
          parts: log.data
            .filter((item) => isInUse(item, today))
            .map(({ type, part_id }) => ({ type, kind: usage.data.byPart.get(part_id)?.kind ?? null })),
        }
      : null,
  )
  if (first) return <SetUpForm bike={bike} {...first} onClose={onClose} />
  const failed = read.find(({ state }) => state === 'failed')
  return (
    <Dialog title="Set up this bike" lead={name} closeLabel="Cancel" onClose={onClose}>
      <p role="status">{failed?.state === 'failed' ? messageFor(failed.error) : 'Loading…'}</p>
    </Dialog>
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
  const save = useSave()
  const [start] = useState(firstRide ?? today)
  const [initial] = useState(() => USUAL_PARTS.map((usual) => lineOf(usual, start, parts, formats)))
  const [lines, setLines] = useState(initial)
  const [problems, setProblems] = useState<Problems[]>([])
  const isTicked = (_: unknown, index: number) => lines[index]?.isTicked

  const submit = async () => {
    const read = USUAL_PARTS.map((usual, index) => readLine(usual, lines[index]!, start, formats))
    setProblems(read.map(({ problems }) => problems))
    const chosen = read.filter(isTicked)
    if (chosen.some(({ problems }) => Object.keys(problems).length > 0)) return ''
    const parts = chosen.map(({ part }) => part)
    return save((key) => setUp(bike, parts, key), { subject: quote(bike.name), done: 'set up' })
  }
  return (
    <FormDialog
      title="Set up this bike"
      lead={`${bike.name}, ${firstRide === null ? 'no rides yet' : `first ride ${formats.day(firstRide)}`}`}
      label="Save"
      isBlocked={!lines.some(isTicked)}
      isChanged={lines !== initial}
      onSave={submit}
      onClose={onClose}
    >
      {USUAL_PARTS.map((usual, index) => (
        <PartLine
          key={usual.name}
          usual={usual}
          line={lines[index]!}
          problems={problems[index] ?? {}}
          onChange={(line) => setLines(lines.with(index, line))}
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
            {usual.tasks.map(
              ({ name, every_distance = null, every_moving_time = null, every_days = null }) => (
                <label key={name} className={styles.choice}>
                  <input
                    type="checkbox"
                    checked={line.tasks.includes(name)}
                    onChange={() => onChange({ ...line, tasks: toggle(line.tasks, name) })}
                  />
                  {name}{' '}
                  <span className="soft">
                    {formatLimits(
                      {
                        every: { distance: every_distance, moving_time: every_moving_time, days: every_days },
                        outdoor_only: false,
                      },
                      formats,
                    )}
                  </span>
                </label>
              ),
            )}
          </div>
        </>
      )}
    </div>
  )
}
