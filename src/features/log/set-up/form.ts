import { ENTRY_FIELDS } from '../../../../supabase/functions/_shared/entry-fields.ts'
import type { Day } from '../../../lib/days.ts'
import { amountKind, dayKind, optional, type Parsed, textKind } from '../../../lib/field-kinds.ts'
import { readInputs } from '../../../lib/forms.ts'
import type { Formats } from '../../../lib/formats.ts'
import { earlierKinds } from '../../entries/earlier-kinds.ts'
import type { NewPart } from './atoms.ts'
import { isInPlaceOf, type PartOnBike, USUAL_PARTS, type UsualPart } from './usual-parts.ts'

type Texts = Record<'name' | 'start' | 'cost' | 'earlier', string>

export type Line = Texts & {
  isTicked: boolean
  /** The names of the ticked tasks. */
  tasks: readonly string[]
}

export type Problems = Partial<Texts>

/** Returns a part's initial line, unticked if the bike may already have that part. */
export function lineOf(usual: UsualPart, start: Day, parts: readonly PartOnBike[], formats: Formats): Line {
  return {
    isTicked: usual.isTicked && !parts.some((part) => isInPlaceOf(part, usual)),
    name: usual.name,
    start: formats.day(start),
    cost: '',
    earlier: '',
    tasks: usual.ticked,
  }
}

const kindsIn = (formats: Formats) => ({
  name: textKind(ENTRY_FIELDS.name.maxLength, 'a name'),
  start: dayKind,
  cost: optional(amountKind),
  earlier: earlierKinds(formats).earlier_distance,
})

/** Tasks count from today, unless the owner says since when the part has been in use: `start` is what the line began with. */
export function readLine(
  usual: UsualPart,
  { tasks, ...texts }: Omit<Line, 'isTicked'>,
  start: Day,
  formats: Formats,
): { part: NewPart; problems: Problems } {
  const { values, problems } = readInputs(kindsIn(formats), texts, formats)
  const { name = '', start: day = start, cost = null, earlier = null } = values
  const part = {
    type: usual.type,
    kind: usual.kind,
    position: usual.position,
    name,
    cost: cost ?? 0,
    day,
    earlier_distance: earlier,
    count_from: earlier !== null || day !== start ? ('installed' as const) : null,
    tasks: usual.tasks.filter((task) => tasks.includes(task.name)),
  }
  return { part, problems }
}

/** Reads the ticked lines. `PartLine` shows their problems. */
export const linesKind = (start: Day) => ({
  format: (lines: Line[]) => lines,
  parse(lines: Line[], formats: Formats): Parsed<NewPart[]> {
    const read = USUAL_PARTS.flatMap((usual, index) => {
      const line = lines[index]
      return line?.isTicked ? [readLine(usual, line, start, formats)] : []
    })
    return read.some(({ problems }) => Object.keys(problems).length > 0)
      ? { message: 'A line has a problem.' }
      : { value: read.map(({ part }) => part) }
  },
})
