import { ENTRY_FIELDS } from '../../../../supabase/functions/_shared/entry-fields.ts'
import type { Day } from '../../../lib/days.ts'
import { amountKind, dayKind, optional, type TextKind, textKind } from '../../../lib/field-kinds.ts'
import { readTexts } from '../../../lib/forms.ts'
import type { Formats } from '../../../lib/formats.ts'
import { earlierKinds } from '../data/earlier-kinds.ts'
import type { NewPart } from './atoms.ts'
import { isInPlaceOf, type PartOnBike, type UsualPart } from './usual-parts.ts'

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

type Values = { name: string; start: Day; cost: number | null; earlier: number | null }

const kindsIn = (formats: Formats): { [F in keyof Values]: TextKind<Values[F]> } => ({
  name: textKind(ENTRY_FIELDS.name.maxLength, 'a name'),
  start: dayKind,
  cost: optional(amountKind),
  earlier: earlierKinds(formats).earlier_distance,
})

/** Tasks count from today, unless the owner says since when the part has been in use: `start` is what the line began with. */
export function readLine(
  usual: UsualPart,
  { tasks, ...texts }: Line,
  start: Day,
  formats: Formats,
): { part: NewPart; problems: Problems } {
  const { values, problems } = readTexts(kindsIn(formats), texts, formats)
  const part = {
    type: usual.type,
    name: values.name,
    cost: values.cost ?? 0,
    day: values.start,
    earlier_distance: values.earlier,
    count_from: values.earlier !== null || values.start !== start ? ('installed' as const) : null,
    tasks: usual.tasks.filter(({ name }) => tasks.includes(name)),
  }
  return { part, problems }
}
